// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static io.l4lb.ipvs.Samples.REAL;
import static io.l4lb.ipvs.Samples.SERVICES;
import static io.l4lb.ipvs.Samples.WEB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.ipvs.Statistics.Rates;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.fake.FakeTransport;
import io.l4lb.netlink.generic.GenericNetlink;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeIpvsTest extends IpvsContract {
    private static final Statistics MANY =
            new Statistics(1L << 33, 1L << 34, 3, Long.MIN_VALUE, 5, new Rates(6, 7, 8, 9, 1L << 35));

    private final FakeIpvs kernel = new FakeIpvs();

    @Override
    IpvsClient open() {
        return kernel.client();
    }

    @Test
    void countersAreWhatTheTestSays() {
        Connections connections = new Connections(1, 2, 0xffff_ffffL);
        try (IpvsClient ipvs = open()) {
            ipvs.addService(SERVICES.get(0));
            ipvs.addDestination(WEB, new Destination(REAL, DestinationSettings.of(1, Tunnel.IPIP)));
            kernel.count(WEB, MANY);
            kernel.count(WEB, REAL, connections, MANY);
            assertEquals(MANY, ipvs.services().get(0).statistics());
            assertEquals(MANY, ipvs.destinations(WEB).get(0).statistics());
            ipvs.zero(WEB);
            assertEquals(Statistics.ZERO, ipvs.destinations(WEB).get(0).statistics());
            assertEquals(connections, ipvs.destinations(WEB).get(0).connections());
        }
    }

    /** See {@link KernelIpvsTest#aDaemonWhoseThreadNeverRanIsStoppedInSilence}. */
    @Test
    void aDaemonMayStopInSilence() {
        kernel.stopDaemonsSilently();
        try (IpvsClient ipvs = open()) {
            ipvs.startDaemon(SyncDaemon.of(SyncRole.MASTER, INTERFACE, 0));
            ipvs.stopDaemon(SyncRole.MASTER);
            assertEquals(List.of(), ipvs.daemons());
        }
    }

    @Test
    void manyChangesTakeFewDatagrams() {
        FakeTransport transport = kernel.transport();
        try (IpvsClient ipvs = IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(transport)))) {
            List<IpvsChange> changes = new ArrayList<>();
            for (int port = 1; port <= 129; port++) {
                VirtualAddress identity = new VirtualAddress(WEB.address(), VirtualAddress.TCP, port);
                changes.add(new IpvsChange.AddService(new Service(identity, ServiceSettings.of("rr"))));
            }
            ipvs.apply(changes);
        }
        // One asks for the family.
        assertEquals(1 + 3, transport.sent().size());
        assertEquals(129, kernel.commands().size());
    }

    @Test
    void failuresAreInjected() {
        try (IpvsClient ipvs = open()) {
            kernel.failNext(Errno.ENOMEM);
            assertEquals(
                    "add service tcp 192.0.2.10:80: ENOMEM",
                    assertThrows(NetlinkException.class, () -> ipvs.addService(SERVICES.get(0)))
                            .getMessage());
            ipvs.addService(SERVICES.get(0));
            kernel.removeScheduler("rr");
            assertEquals(
                    "ENOENT",
                    assertThrows(NetlinkException.class, () -> ipvs.addService(SERVICES.get(5)))
                            .errno());
        }
    }
}
