// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.fake.FakeTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NetlinkSocketTest {
    private static final int TYPE = 0x20;

    /** Captured on Linux 6.18 for RTM_GETNEIGH of an absent entry: capped, with the extended ack message. */
    private static final String ENOENT_WITH_WORDS = "44000000 0200 0003 1b000000 483b0000 feffffff"
            + "24000000 1e00 0500 1b000000 00000000"
            + "1e00 0100 4e65696768626f757220656e747279206e6f7420666f756e64 00 0000";

    /** Captured on Linux 6.18 for RTM_GETADDR of interface 999: a dump that fails at once. */
    private static final String DONE_WITH_ENODEV = "14000000 0300 2200 08000000 483b0000 edffffff";

    /** EINVAL that quotes the whole request (20 octets), as without NETLINK_CAP_ACK; then NLMSGERR_ATTR_MISS_TYPE 5. */
    private static final String EINVAL_UNCAPPED = "30000000 0200 0002 01000000 00000000 eaffffff"
            + "14000000 2000 0500 01000000 00000000 01020304"
            + "0800 0500 05000000";

    @Test
    void requestIsSentWithFlagsAndSequence() {
        FakeTransport kernel = new FakeTransport(request -> List.of(ack(request)));
        try (NetlinkSocket socket = NetlinkSocket.over(kernel)) {
            socket.request("test", TYPE, NetlinkMessage.FLAG_CREATE, Octets.fromHex("01020304"));
            socket.dump("test", TYPE, Octets.EMPTY);
        }
        assertEquals(
                List.of(
                        Octets.fromHex("14000000 2000 0504 01000000 00000000 01020304"),
                        Octets.fromHex("10000000 2000 0103 02000000 00000000")),
                kernel.sent());
        assertTrue(kernel.isClosed());
    }

    @Test
    void pipelineMatchesFailuresToTheirRequests() {
        FakeTransport kernel = new FakeTransport(request -> {
            boolean fails = request.payload().u8(0) == 3;
            Octets answer = fails
                    ? new NetlinkMessage(NetlinkMessage.ERROR, 0, request.sequence(), 0, Octets.fromHex("eaffffff"))
                            .encode()
                    : ack(request);
            Octets stale = new NetlinkMessage(
                            NetlinkMessage.ERROR, 0, request.sequence() - 1000, 0, Octets.fromHex("ffffffff"))
                    .encode();
            return fails || request.has(NetlinkMessage.FLAG_ACK) ? List.of(stale, answer) : List.of(stale);
        });
        List<NetlinkRequest> requests = new ArrayList<>();
        for (int i = 0; i < 130; i++) {
            requests.add(new NetlinkRequest("do " + i, TYPE, 0, Octets.of((byte) i)));
        }
        try (NetlinkSocket socket = NetlinkSocket.over(kernel)) {
            List<Optional<NetlinkException>> outcomes = socket.pipeline(requests);
            assertEquals(130, outcomes.size());
            for (int i = 0; i < 130; i++) {
                assertEquals(
                        i == 3 ? Optional.of("do 3: EINVAL") : Optional.empty(),
                        outcomes.get(i).map(NetlinkException::getMessage));
            }
            assertEquals(3, kernel.sent().size());
            List<NetlinkMessage> datagram =
                    NetlinkMessage.decodeAll(kernel.sent().get(0));
            assertEquals(64, datagram.size());
            assertEquals(
                    List.of(datagram.get(63)),
                    datagram.stream()
                            .filter(message -> message.has(NetlinkMessage.FLAG_ACK))
                            .toList());
        }
    }

    @Test
    void pipelineSplitsWhatIsTooLong() {
        FakeTransport kernel = new FakeTransport(request -> List.of(ack(request)));
        NetlinkRequest large = new NetlinkRequest("do", TYPE, 0, Octets.of(new byte[40_000]));
        try (NetlinkSocket socket = NetlinkSocket.over(kernel)) {
            assertEquals(3, socket.pipeline(List.of(large, large, large)).size());
        }
        assertEquals(3, kernel.sent().size());
    }

    @Test
    void pipelineNamesTheRequestThatWasNotAnswered() {
        NetlinkRequest first = new NetlinkRequest("do first", TYPE, 0, Octets.of((byte) 1));
        NetlinkRequest second = new NetlinkRequest("do second", TYPE, 0, Octets.of((byte) 2));
        try (NetlinkSocket socket = NetlinkSocket.over(
                new FakeTransport(request -> request.payload().u8(0) == 1 ? List.of(ack(request)) : List.of()))) {
            NetlinkException failure =
                    assertThrows(NetlinkException.class, () -> socket.pipeline(List.of(first, second)));
            assertEquals("do second: ETIMEDOUT (no answer for 5 s)", failure.getMessage());
        }
    }

    @Test
    void dumpGathersManyDatagrams() {
        try (NetlinkSocket socket = NetlinkSocket.over(new FakeTransport(request -> {
            List<Octets> datagrams = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                Octets one = part(request, 0, i).encode();
                datagrams.add(one.plus(one));
            }
            datagrams.add(done(request, 0));
            return datagrams;
        }))) {
            List<NetlinkMessage> parts = socket.dump("test", TYPE, Octets.EMPTY);
            assertEquals(1000, parts.size());
            assertEquals(499, parts.get(999).payload().i32Host(0));
        }
    }

    @Test
    void interruptedDumpIsDoneAgain() {
        List<Integer> attempts = new ArrayList<>();
        try (NetlinkSocket socket = NetlinkSocket.over(new FakeTransport(request -> {
            attempts.add(request.sequence());
            int flag = attempts.size() < 3 ? NetlinkMessage.FLAG_DUMP_INTERRUPTED : 0;
            return List.of(part(request, flag, attempts.size()).encode(), done(request, 0));
        }))) {
            List<NetlinkMessage> parts = socket.dump("test", TYPE, Octets.EMPTY);
            assertEquals(1, parts.size());
            assertEquals(3, parts.get(0).payload().i32Host(0));
        }
        assertEquals(List.of(1, 2, 3), attempts);
    }

    @Test
    void dumpThatIsAlwaysInterruptedGivesUp() {
        try (NetlinkSocket socket = NetlinkSocket.over(
                new FakeTransport(request -> List.of(done(request, NetlinkMessage.FLAG_DUMP_INTERRUPTED))))) {
            NetlinkException failure =
                    assertThrows(NetlinkException.class, () -> socket.dump("list links", TYPE, Octets.EMPTY));
            assertEquals("list links: EINTR (dump interrupted 10 times in a row)", failure.getMessage());
        }
    }

    @Test
    void kernelErrorCarriesItsWords() {
        assertEquals(
                "get neighbour: ENOENT (Neighbour entry not found)",
                failure("get neighbour", ENOENT_WITH_WORDS).getMessage());
    }

    @Test
    void uncappedErrorIsUnderstood() {
        assertEquals(
                "add: EINVAL (attribute 5 is missing)",
                failure("add", EINVAL_UNCAPPED).getMessage());
    }

    @Test
    void failedDumpIsAnError() {
        NetlinkException failure = failure("list addresses", DONE_WITH_ENODEV);
        assertTrue(failure.is(Errno.ENODEV));
        assertEquals("list addresses: ENODEV", failure.getMessage());
    }

    @Test
    void acknowledgementThatLiesAboutItsQuoteIsMalformed() {
        assertEquals(
                "EBADMSG",
                failure("add", EINVAL_UNCAPPED.replace("14000000 2000", "ff000000 2000"))
                        .errno());
        assertEquals(
                "EBADMSG",
                failure("add", "10000000 0200 0000 01000000 00000000").errno());
    }

    @Test
    void leftoversOfAnOlderAnswerAreDropped() {
        try (NetlinkSocket socket = NetlinkSocket.over(new FakeTransport(request -> {
            NetlinkMessage older = new NetlinkMessage(TYPE, 0, request.sequence() - 1, 0, Octets.fromHex("ffffffff"));
            return List.of(
                    done(older, 0), older.encode(), part(request, 0, 1).encode().plus(ack(request)));
        }))) {
            List<NetlinkMessage> answers = socket.request("test", TYPE, 0, Octets.EMPTY);
            assertEquals(1, answers.size());
            assertEquals(1, answers.get(0).payload().i32Host(0));
        }
    }

    @Test
    void silenceIsATimeout() {
        try (NetlinkSocket socket = NetlinkSocket.over(FakeTransport.silent())) {
            NetlinkException failure =
                    assertThrows(NetlinkException.class, () -> socket.request("test", TYPE, 0, Octets.EMPTY));
            assertTrue(failure.is(Errno.ETIMEDOUT));
        }
    }

    @Test
    void closedSocketSaysSo() {
        NetlinkSocket socket = NetlinkSocket.over(FakeTransport.silent());
        socket.close();
        NetlinkException failure =
                assertThrows(NetlinkException.class, () -> socket.request("test", TYPE, 0, Octets.EMPTY));
        assertTrue(failure.is(Errno.EBADF));
    }

    private static NetlinkException failure(String operation, String answer) {
        try (NetlinkSocket socket = NetlinkSocket.over(FakeTransport.answering(Octets.fromHex(answer)))) {
            return assertThrows(NetlinkException.class, () -> socket.request(operation, TYPE, 0, Octets.EMPTY));
        }
    }

    private static NetlinkMessage part(NetlinkMessage request, int flags, int number) {
        Octets payload = new OctetsWriter().u32Host(number).toOctets();
        return new NetlinkMessage(TYPE, NetlinkMessage.FLAG_MULTI | flags, request.sequence(), 0, payload);
    }

    private static Octets done(NetlinkMessage request, int flags) {
        return new NetlinkMessage(NetlinkMessage.DONE, flags, request.sequence(), 0, Octets.fromHex("00000000"))
                .encode();
    }

    private static Octets ack(NetlinkMessage request) {
        Octets quoted = request.encode().slice(0, NetlinkMessage.HEADER);
        return new NetlinkMessage(
                        NetlinkMessage.ERROR,
                        NetlinkMessage.FLAG_CAPPED,
                        request.sequence(),
                        0,
                        Octets.fromHex("00000000").plus(quoted))
                .encode();
    }
}
