// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever is added to the fake, whose code is apart from the client's, comes back equal. */
class RoundTripTest {
    @Property(tries = 300)
    void services(@ForAll("services") Service service) {
        try (IpvsClient ipvs = new FakeIpvs().client()) {
            ipvs.addService(service);
            ServiceEntry entry = new ServiceEntry(service, Statistics.ZERO);
            assertEquals(List.of(entry), ipvs.services());
            assertEquals(Optional.of(entry), ipvs.service(service.identity()));
        }
    }

    @Property(tries = 300)
    void destinations(@ForAll("destinations") Destination destination) {
        try (IpvsClient ipvs = new FakeIpvs().client()) {
            ServiceIdentity service = new FirewallMark(1, destination.identity().family());
            ipvs.addService(new Service(service, ServiceSettings.of("rr")));
            ipvs.addDestination(service, destination);
            assertEquals(
                    List.of(new DestinationEntry(destination, Connections.NONE, Statistics.ZERO)),
                    ipvs.destinations(service));
            ipvs.deleteDestination(service, destination.identity());
            assertEquals(List.of(), ipvs.destinations(service));
        }
    }

    @Provide
    Arbitrary<Service> services() {
        Arbitrary<ServiceIdentity> virtual = Combinators.combine(
                        addresses(),
                        Arbitraries.of(6, 17, 132),
                        Arbitraries.integers().between(0, 0xffff))
                .as(VirtualAddress::new);
        Arbitrary<ServiceIdentity> marks = Combinators.combine(
                        Arbitraries.integers().filter(mark -> mark != 0), Arbitraries.of(AddressFamily.class))
                .as(FirewallMark::new);
        return Arbitraries.oneOf(List.of(virtual, marks))
                .flatMap(identity -> settings(identity.family()).map(settings -> new Service(identity, settings)));
    }

    private static Arbitrary<ServiceSettings> settings(AddressFamily family) {
        int shortest = family == AddressFamily.INET ? 0 : 1;
        Arbitrary<Persistence> persistence = Combinators.combine(
                        Arbitraries.longs().between(0, 0xffff_ffffL).map(Duration::ofSeconds),
                        Arbitraries.integers().between(shortest, family.bits()))
                .as(Persistence::new);
        return Combinators.combine(
                        Arbitraries.of("rr", "wlc", "mh", "lblcr", "none"),
                        Arbitraries.of(ServiceFlag.class).set(),
                        persistence.optional(),
                        Arbitraries.just("sip").optional())
                .as(ServiceSettings::new);
    }

    @Provide
    Arbitrary<Destination> destinations() {
        Arbitrary<DestinationIdentity> identities = Combinators.combine(
                        addresses(), Arbitraries.integers().between(0, 0xffff))
                .as(DestinationIdentity::new);
        Arbitrary<ForwardingMethod> plain = Arbitraries.of(PlainForwarding.values());
        Arbitrary<ForwardingMethod> tunnels = Combinators.combine(
                        Arbitraries.of(TunnelType.class),
                        Arbitraries.integers().between(1, 0xffff),
                        Arbitraries.of(TunnelChecksum.class))
                .as((type, port, checksum) -> new Tunnel(type, type == TunnelType.GUE ? port : 0, checksum));
        Arbitrary<Thresholds> thresholds = Arbitraries.longs()
                .between(0, Integer.MAX_VALUE)
                .flatMap(upper -> Arbitraries.longs().between(0, upper).map(lower -> new Thresholds(upper, lower)));
        Arbitrary<DestinationSettings> settings = Combinators.combine(
                        Arbitraries.integers().between(0, Integer.MAX_VALUE),
                        Arbitraries.oneOf(List.of(plain, tunnels)),
                        thresholds)
                .as(DestinationSettings::new);
        return Combinators.combine(identities, settings).as(Destination::new);
    }

    /** Those that packets can be sent to: 10.x.x.x and 2001:xxx. */
    private static Arbitrary<InetAddress> addresses() {
        Arbitrary<Byte> octets = Arbitraries.bytes();
        return Arbitraries.of(3, 15)
                .flatMap(rest -> octets.array(byte[].class).ofSize(rest).map(tail -> Octets.of(
                                (byte) (rest == 3 ? 10 : 0x20))
                        .plus(Octets.of(tail))
                        .toAddress()));
    }
}
