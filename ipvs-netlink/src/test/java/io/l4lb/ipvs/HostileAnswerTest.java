// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static io.l4lb.ipvs.Samples.WEB;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import io.l4lb.netlink.generic.GenericNetlink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Answers that are damaged, longer than known, or contradict themselves. */
class HostileAnswerTest {
    private static final int FAMILY = 0x20;

    /** An entry of the kind that each of these reads is changed in one place and cut. */
    @Property(tries = 500)
    void aDamagedEntryIsReadOrRefused(
            @ForAll @IntRange(min = 4, max = 500) int at,
            @ForAll byte value,
            @ForAll @IntRange(min = 4, max = 500) int length) {
        List<Consumer<IpvsClient>> reads = List.of(
                IpvsClient::services,
                ipvs -> ipvs.service(WEB),
                ipvs -> ipvs.destinations(WEB),
                IpvsClient::daemons,
                IpvsClient::timeouts,
                IpvsClient::info);
        for (Consumer<IpvsClient> read : reads) {
            try (IpvsClient ipvs = altering(payload -> damaged(payload, at, value, length))) {
                read.accept(ipvs);
            } catch (NetlinkException refused) {
                assertTrue(List.of("EBADMSG", "EINTR").contains(refused.errno()), refused.getMessage());
            }
        }
    }

    @Test
    void unknownAttributesAndFlagsAreNoObstacle() {
        Octets more = new AttributeWriter().u32Host(900, 7).toOctets();
        try (IpvsClient ipvs = altering(payload -> payload.plus(more))) {
            assertEquals(1, ipvs.services().size());
            assertEquals(1, ipvs.destinations(WEB).size());
            assertEquals(0, ipvs.services().get(0).unknownFlags());
        }
    }

    @Test
    void unknownFlagsAreReported() {
        String known = "02000000ffffffff";
        try (IpvsClient ipvs =
                altering(payload -> Octets.fromHex(payload.toHex().replace(known, "82000080ffffffff")))) {
            ServiceEntry entry = ipvs.services().get(0);
            assertEquals(0x80000080, entry.unknownFlags());
            assertEquals(ServiceSettings.of("rr"), entry.service().settings());
        }
    }

    @Test
    void aDumpWithAnEntryTwiceIsDoneAgain() {
        List<Integer> dumps = new ArrayList<>();
        FakeTransport inner = filled().transport();
        FakeTransport outer = new FakeTransport(request -> {
            List<Octets> answer = asked(inner, request);
            boolean dump = request.has(NetlinkMessage.FLAG_DUMP);
            if (dump) {
                dumps.add(request.sequence());
            }
            // All messages but DONE come twice, the first two times.
            return dump && dumps.size() < 3 ? List.of(first(answer.get(0)), answer.get(0)) : answer;
        });
        try (IpvsClient ipvs = over(outer)) {
            assertEquals(1, ipvs.services().size());
            assertEquals(3, dumps.size());
        }
    }

    @Test
    void aDumpThatNeverSettlesIsGivenUp() {
        FakeTransport inner = filled().transport();
        FakeTransport outer = new FakeTransport(request -> {
            List<Octets> answer = asked(inner, request);
            return request.has(NetlinkMessage.FLAG_DUMP) ? List.of(first(answer.get(0)), answer.get(0)) : answer;
        });
        try (IpvsClient ipvs = over(outer)) {
            NetlinkException failure = assertThrows(NetlinkException.class, ipvs::services);
            assertEquals("list services: EINTR (changed during 10 dumps in a row)", failure.getMessage());
        }
    }

    private static Octets first(Octets datagram) {
        return NetlinkMessage.decodeAll(datagram).get(0).encode();
    }

    private static Octets damaged(Octets payload, int at, byte value, int length) {
        byte[] bytes = payload.toArray();
        bytes[at % bytes.length] = value;
        return Octets.of(bytes).slice(0, Math.min(length, bytes.length));
    }

    private static FakeIpvs filled() {
        FakeIpvs kernel = new FakeIpvs();
        try (IpvsClient ipvs = kernel.client()) {
            ipvs.addService(new Service(WEB, ServiceSettings.of("rr")));
            ipvs.addDestination(WEB, Samples.destination("10.0.0.1", 80, 1, Tunnel.IPIP));
            ipvs.startDaemon(SyncDaemon.of(SyncRole.MASTER, "sync0", 1));
        }
        return kernel;
    }

    private static IpvsClient over(FakeTransport transport) {
        return IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(transport)));
    }

    private static List<Octets> asked(FakeTransport inner, NetlinkMessage request) {
        inner.send(request.encode());
        List<Octets> datagrams = new ArrayList<>();
        for (var next = inner.receive(Duration.ZERO); next.isPresent(); next = inner.receive(Duration.ZERO)) {
            datagrams.add(next.get());
        }
        return datagrams;
    }

    /** A fake whose answers have their payloads changed. */
    private static IpvsClient altering(UnaryOperator<Octets> change) {
        FakeTransport inner = filled().transport();
        return over(new FakeTransport(request -> {
            List<Octets> datagrams = new ArrayList<>();
            for (Octets datagram : asked(inner, request)) {
                for (NetlinkMessage message : NetlinkMessage.decodeAll(datagram)) {
                    Octets payload = message.type() == FAMILY ? change.apply(message.payload()) : message.payload();
                    datagrams.add(new NetlinkMessage(
                                    message.type(), message.flags(), message.sequence(), message.port(), payload)
                            .encode());
                }
            }
            return datagrams;
        }));
    }
}
