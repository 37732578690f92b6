// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.REALS;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Director.tunnel;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** One packet for each verdict. */
class EveryVerdictTest {
    private static Map<Verdict, Supplier<PacketDecision>> examples() {
        Map<Verdict, Supplier<PacketDecision>> examples = new EnumMap<>(Verdict.class);
        String syn = PlainFrames.SYN4;
        examples.put(Verdict.PASS_NOT_IP, () -> offering(to(R4)).decide(PlainFrames.ARP));
        examples.put(Verdict.PASS_NO_SERVICE, () -> offering(to(R4)).decide(patched(syn, 36, "0050")));
        examples.put(Verdict.PASS_FRAGMENT, () -> offering(to(R4)).decide(FragmentFrames.LAST_ECHO4));
        examples.put(Verdict.FORWARD_FLOW, () -> second(offering(to(R4)), PlainFrames.DNS4, PlainFrames.DNS4));
        examples.put(Verdict.FORWARD_TABLE, () -> offering(to(R4)).decide(syn));
        examples.put(Verdict.DROP_MALFORMED, () -> offering(to(R4)).decide(patched(syn, 16, "ffff")));
        examples.put(Verdict.DROP_NO_REAL, () -> offering(
                        Service.of("web", HashKey.FIVE_TUPLE, Director.tableOf(R4), Map.of()))
                .decide(syn));
        examples.put(Verdict.DROP_TTL, () -> offering(to(R4)).decide(patched(syn, 22, "01")));
        examples.put(Verdict.DROP_TOO_BIG, () -> small().with(Switches.OFF).decide(syn));
        examples.put(
                Verdict.DROP_NO_NEXT_HOP,
                () -> offering(to(R4)).with(new NextHops(null, null)).decide(syn));
        examples.put(Verdict.FORWARD_SERVER_ID, () -> offering(Service.ofQuic(
                        "quic",
                        Director.tableOf(R4),
                        REALS,
                        new QuicServers(new ConnectionIdLayout(8, 2, 2), Map.of(ServerId.ofHex("0a0b"), R6))))
                .decide(QuicFrames.SHORT));
        examples.put(
                Verdict.FORWARD_FRAGMENT, () -> second(offering(to(R4)), FragmentFrames.FIRST4, FragmentFrames.LAST4));
        examples.put(Verdict.DROP_FRAGMENT, () -> offering(to(R4)).decide(FragmentFrames.LAST4));
        examples.put(Verdict.ANSWER_ECHO, () -> offering(to(R4)).decide(EchoFrames.ECHO4));
        examples.put(Verdict.ANSWER_TOO_BIG, () -> small().decide(syn));
        examples.put(Verdict.ANSWER_PATH_MTU, () -> offering(to(R4)).decide(PathMtuFrames.FOUR_IN_FOUR));
        return examples;
    }

    private static Director small() {
        return offering(to(R4)).with(tunnel(79, 0));
    }

    private static PacketDecision second(Director director, String first, String second) {
        director.decide(first);
        return director.decide(second);
    }

    @Test
    void everyVerdictIsReached() {
        Map<Verdict, Supplier<PacketDecision>> examples = examples();
        Set<Verdict> oursToGive = EnumSet.complementOf(EnumSet.of(Verdict.DROP_NO_HEADROOM));
        assertEquals(oursToGive, examples.keySet());
        examples.forEach(
                (verdict, example) -> assertEquals(verdict, example.get().verdict()));
    }

    @Test
    void everyVerdictSaysWhy() {
        for (Verdict verdict : Verdict.values()) {
            assertTrue(verdict.reason().matches("[a-z].*[^.]"), verdict::reason);
            String prefix = verdict.text().split("-", 2)[0];
            Action action =
                    switch (prefix) {
                        case "pass" -> Action.PASS;
                        case "drop" -> Action.DROP;
                        case "forward", "answer" -> Action.TRANSMIT;
                        default -> throw new AssertionError(prefix);
                    };
            assertEquals(action, verdict.action());
        }
        assertEquals("drop-no-next-hop", Verdict.DROP_NO_NEXT_HOP.text());
    }
}
