// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.REALS;
import static io.l4lb.hashing.decision.Director.VIP4;
import static io.l4lb.hashing.decision.Director.VIP6;
import static io.l4lb.hashing.decision.Director.named;
import static io.l4lb.hashing.decision.Director.tunnel;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Any bytes get a decision, and what holds of every decision holds. */
class AnyBytesTest {
    private static final List<byte[]> GOLDEN = List.copyOf(GoldenFrames.all().values());

    /** Services of every kind, so that mutations reach every step. */
    private static Services everyKind() {
        QuicServers quic = new QuicServers(new ConnectionIdLayout(8, 2, 2), Map.of(ServerId.ofHex("0a0b"), R6));
        Service udp = Service.ofQuic("quic", Director.tableOf(R4), REALS, quic);
        Service tcp = named("tcp", HashKey.FIVE_TUPLE, R4).withEncapsulation(Encapsulation.GUE);
        return Services.builder()
                .add(VIP4, Director.TCP, 443, tcp)
                .add(VIP6, Director.TCP, 443, tcp)
                .add(VIP4, Director.UDP, 443, udp)
                .add(VIP6, Director.UDP, 443, udp)
                .addAnyPort(VIP4, Director.TCP, named("any-port", HashKey.THREE_TUPLE, R6))
                .addAnyProtocol(VIP6, named("any", HashKey.THREE_TUPLE, R6))
                .build();
    }

    private final PacketModel model = new Director(everyKind())
            .with(tunnel(150, 3))
            .with(new Switches(true, true, 1000))
            .model();

    /** Other VIPs, of which the golden frames know nothing. */
    private final PacketModel elsewhere = new Director(Services.builder()
                    .addAnyProtocol(Director.address("203.0.113.77"), named("four", HashKey.FIVE_TUPLE, R4))
                    .addAnyProtocol(Director.address("2001:db8:77::77"), named("six", HashKey.FIVE_TUPLE, R6))
                    .build())
            .model();

    private static byte[] mutated(int frame, long seed) {
        Random random = new Random(seed);
        byte[] bytes = GOLDEN.get(frame % GOLDEN.size()).clone();
        for (int changes = random.nextInt(5); changes > 0; changes--) {
            // Mostly in the headers, often to small values: there they mean something.
            int at = random.nextInt(random.nextBoolean() ? Math.min(bytes.length, 70) : bytes.length);
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : random.nextInt(8));
        }
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
            case 1 -> Arrays.copyOf(bytes, bytes.length + random.nextInt(40));
            default -> bytes;
        };
    }

    @Property(tries = 3000)
    void anyBytes(@ForAll @Size(max = 120) byte[] bytes) {
        Director.decide(model, bytes);
        Director.decide(elsewhere, bytes);
    }

    @Property(tries = 20000)
    void mutatedFrames(@ForAll @IntRange(max = 1000) int frame, @ForAll long seed) {
        byte[] bytes = mutated(frame, seed);
        PacketDecision decision = Director.decide(model, bytes);
        switch (decision.verdict()) {
            case FORWARD_FLOW, FORWARD_TABLE, FORWARD_FRAGMENT, FORWARD_SERVER_ID ->
                assertCarries(bytes, decision.frame());
            case ANSWER_ECHO -> assertEquals(bytes.length, decision.frame().length);
            default -> {}
        }
    }

    /** The packet is in the frame, unchanged but for its time to live and two checksums and the segment size. */
    private static void assertCarries(byte[] in, byte[] out) {
        int at = 14;
        while (in[at - 2] != 0x08 && (in[at - 2] & 0xff) != 0x86) {
            at += 4;
        }
        int before = out.length - (in.length - at);
        boolean four = in[at] >>> 4 == 4;
        int ttl = four ? 8 : 7;
        assertEquals(Byte.toUnsignedInt(in[at + ttl]) - 1, Byte.toUnsignedInt(out[before + ttl]));
        int header = four ? (in[at] & 15) * 4 : 40;
        int length = four ? 12 : 8;
        assertArrayEquals(
                Arrays.copyOfRange(in, at + length, at + header),
                Arrays.copyOfRange(out, before + length, before + header));
    }

    @Property(tries = 5000)
    void whatIsForAnotherAddressIsPassed(@ForAll @IntRange(max = 1000) int frame, @ForAll long seed) {
        assertEquals(
                Action.PASS,
                Director.decide(elsewhere, mutated(frame, seed)).verdict().action());
    }
}
