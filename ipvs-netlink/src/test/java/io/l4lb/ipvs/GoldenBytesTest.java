// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static io.l4lb.ipvs.Samples.address;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.ipvs.SyncDaemon.SyncMulticast;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import io.l4lb.netlink.generic.GenericNetlink;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What goes to the kernel and what comes from it, octet by octet. */
class GoldenBytesTest {
    private static final VirtualAddress WEB = Samples.WEB;
    private static final Service SERVICE = new Service(
            WEB,
            new ServiceSettings(
                    "mh",
                    Set.of(ServiceFlag.MH_FALLBACK, ServiceFlag.MH_PORT),
                    Optional.of(new Persistence(Duration.ofMinutes(5), 21)),
                    Optional.empty()));
    private static final Service SERVICE_6 = new Service(
            new VirtualAddress(address("2001:db8::10"), VirtualAddress.UDP, 443),
            new ServiceSettings(
                    "rr",
                    Set.of(ServiceFlag.ONE_PACKET),
                    Optional.of(new Persistence(Duration.ofMinutes(1), 64)),
                    Optional.of("sip")));
    private static final Service MARK =
            new Service(new FirewallMark(0x80000005, AddressFamily.INET6), ServiceSettings.of("wlc"));
    private static final Destination GUE = new Destination(
            Samples.REAL, new DestinationSettings(7, Tunnel.gue(6080, TunnelChecksum.REMOTE), new Thresholds(100, 50)));
    private static final Destination IPIP_6 = Samples.destination("2001:db8:1::1", 80, 1, Tunnel.IPIP);
    private static final SyncDaemon DAEMON = new SyncDaemon(
            SyncRole.MASTER, "sync0", 7, 1400, new SyncMulticast(Optional.of(address("224.0.0.99")), 8900, 3));

    @Test
    void services() {
        sends(GoldenMessages.ADD_SERVICE, ipvs -> ipvs.addService(SERVICE));
        sends(GoldenMessages.ADD_SERVICE_6, ipvs -> ipvs.addService(SERVICE_6));
        sends(GoldenMessages.ADD_MARK, ipvs -> ipvs.addService(MARK));
        sends(GoldenMessages.DELETE_SERVICE, ipvs -> ipvs.deleteService(WEB));
        assertEquals(
                Optional.of(new ServiceEntry(SERVICE, Statistics.ZERO)),
                reads(GoldenMessages.SERVICE, ipvs -> ipvs.service(WEB)));
        assertEquals(
                Optional.of(new ServiceEntry(SERVICE_6, Statistics.ZERO)),
                reads(GoldenMessages.SERVICE_6, ipvs -> ipvs.service(SERVICE_6.identity())));
        assertEquals(
                Optional.of(new ServiceEntry(MARK, Statistics.ZERO)),
                reads(GoldenMessages.MARK, ipvs -> ipvs.service(MARK.identity())));
    }

    @Test
    void destinations() {
        sends(GoldenMessages.ADD_GUE, ipvs -> ipvs.addDestination(WEB, GUE));
        sends(
                GoldenMessages.ADD_MASQUERADE,
                ipvs -> ipvs.addDestination(WEB, Samples.destination("10.0.0.2", 8080, 1, PlainForwarding.MASQUERADE)));
        sends(GoldenMessages.ADD_IPIP_6, ipvs -> ipvs.addDestination(WEB, IPIP_6));
        sends(GoldenMessages.DELETE_DESTINATION, ipvs -> ipvs.deleteDestination(WEB, Samples.REAL));
        assertEquals(
                List.of(new DestinationEntry(GUE, Connections.NONE, Statistics.ZERO)),
                reads(GoldenMessages.GUE, ipvs -> ipvs.destinations(WEB)));
        assertEquals(
                List.of(new DestinationEntry(IPIP_6, Connections.NONE, Statistics.ZERO)),
                reads(GoldenMessages.IPIP_6, ipvs -> ipvs.destinations(WEB)));
    }

    @Test
    void timeouts() {
        sends(
                GoldenMessages.SET_TIMEOUTS,
                ipvs -> ipvs.setTimeouts(
                        new Timeouts(Duration.ofSeconds(901), Duration.ZERO, Duration.ofSeconds(301))));
        assertEquals(
                new Timeouts(Duration.ofMinutes(15), Duration.ofMinutes(2), Duration.ofMinutes(5)),
                reads(GoldenMessages.TIMEOUTS, IpvsClient::timeouts));
    }

    @Test
    void daemons() {
        sends(GoldenMessages.START_DAEMON, ipvs -> ipvs.startDaemon(DAEMON));
        sends(GoldenMessages.STOP_DAEMON, ipvs -> ipvs.stopDaemon(SyncRole.MASTER));
        assertEquals(List.of(DAEMON), reads(GoldenMessages.DAEMON, IpvsClient::daemons));
    }

    /** But for the sequence number. */
    private static void sends(String golden, Consumer<IpvsClient> request) {
        FakeTransport kernel = kernel("");
        try (IpvsClient ipvs = over(kernel)) {
            request.accept(ipvs);
        }
        NetlinkMessage wanted = NetlinkMessage.decodeAll(Octets.fromHex(golden)).get(0);
        NetlinkMessage sent = NetlinkMessage.decodeAll(kernel.sent().get(1)).get(0);
        assertEquals(wanted.flags(), sent.flags());
        assertEquals(wanted.payload(), sent.payload());
    }

    private static <T> T reads(String golden, Function<IpvsClient, T> request) {
        try (IpvsClient ipvs = over(kernel(golden))) {
            return request.apply(ipvs);
        }
    }

    private static IpvsClient over(FakeTransport kernel) {
        return IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(kernel)));
    }

    /** Knows the family 0x20, and gives one answer to everything else. */
    private static FakeTransport kernel(String golden) {
        return new FakeTransport(request -> {
            Octets ack = message(NetlinkMessage.ERROR, request, Octets.of(new byte[4]));
            if (request.type() == 0x10) {
                Octets family = Octets.fromHex("01020000 0900020049505653 00000000 0600010020000000 0800030001000000");
                return List.of(message(request.type(), request, family), ack);
            }
            return golden.isEmpty()
                    ? List.of(ack)
                    : List.of(message(0x20, request, Octets.fromHex(golden).from(16)), ack);
        });
    }

    private static Octets message(int type, NetlinkMessage request, Octets payload) {
        return new NetlinkMessage(type, 0, request.sequence(), 1, payload).encode();
    }
}
