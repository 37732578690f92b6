// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Tunnel;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.ipvs.fake.FakeIpvs;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Counters are read from the kernel no more often than it brings them up to date. */
class RecentCountersTest {
    private static final VirtualAddress WEB = new VirtualAddress(ip("192.0.2.10"), 6, 80);

    private final FakeIpvs fake = new FakeIpvs();
    private Instant now = Instant.EPOCH;

    private static IpvsChange real(String address) {
        return new IpvsChange.AddDestination(
                WEB, new Destination(new DestinationIdentity(ip(address), 80), DestinationSettings.of(1, Tunnel.IPIP)));
    }

    private static void apply(IpvsClient client, IpvsChange... changes) {
        client.apply(List.of(changes)).forEach(failure -> assertEquals("Optional.empty", failure.toString()));
    }

    @Test
    void oneDumpEveryTwoSeconds() {
        try (IpvsClient client = fake.client()) {
            RecentCounters recent = new RecentCounters(new Kernel(client), () -> now);
            apply(client, new IpvsChange.AddService(new Service(WEB, ServiceSettings.of("rr"))), real("10.0.1.1"));
            assertEquals(1, recent.destinations(WEB).size());
            assertEquals(1, recent.services().size());
            apply(client, real("10.0.1.2"));
            int asked = fake.commands().size();
            now = now.plusMillis(1999);
            assertEquals(1, recent.destinations(WEB).size());
            assertEquals(1, recent.services().size());
            assertEquals(asked, fake.commands().size());
            now = now.plusMillis(1);
            assertEquals(2, recent.destinations(WEB).size());
            apply(client, real("10.0.1.3"));
            recent.forget();
            assertEquals(3, recent.destinations(WEB).size());
        }
    }
}
