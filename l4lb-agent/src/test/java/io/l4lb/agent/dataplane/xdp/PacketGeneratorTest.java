// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.xdp.PacketGenerator.Kind;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.Verdict;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The frames that are generated reach every step of the packet decision, and are the same in every run. */
final class PacketGeneratorTest {
    private static final int SCENARIOS = 10;
    private static final int PACKETS = 2000;
    private static final Set<Verdict> FORWARDED = EnumSet.of(Verdict.FORWARD_FLOW, Verdict.FORWARD_TABLE);

    private final Map<Kind, Map<Verdict, Integer>> reached = new EnumMap<>(Kind.class);

    private void count(Kind kind, Verdict verdict) {
        reached.computeIfAbsent(kind, unused -> new EnumMap<>(Verdict.class)).merge(verdict, 1, Integer::sum);
    }

    private void generate() {
        Random random = new Random(1);
        for (int i = 0; i < SCENARIOS; i++) {
            Scenario scenario = new Scenario(random);
            PacketGenerator generator = new PacketGenerator(random, scenario);
            ModelMemories memories = new ModelMemories();
            PacketModel model = ReferenceModel.RIGHT.of(scenario, memories.flows(), memories.fragments());
            for (int packet = 0; packet < PACKETS; packet++) {
                byte[] frame = generator.next();
                count(generator.kind(), model.decide(frame).verdict());
            }
        }
    }

    private void assertReaches(Kind kind, Verdict... verdicts) {
        Set<Verdict> ofKind = reached.getOrDefault(kind, Map.of()).keySet();
        assertTrue(ofKind.containsAll(Arrays.asList(verdicts)), () -> kind + " reaches " + reached.get(kind));
        assertTrue(ofKind.containsAll(FORWARDED), () -> kind + " reaches " + reached.get(kind));
    }

    @Test
    void everyVerdictIsReachedByTheKindsThatMatter() {
        generate();
        Set<Verdict> all = EnumSet.noneOf(Verdict.class);
        reached.values().forEach(verdicts -> all.addAll(verdicts.keySet()));
        assertEquals(EnumSet.complementOf(EnumSet.of(Verdict.DROP_NO_HEADROOM)), all);
        assertReaches(
                Kind.PLAIN,
                Verdict.FORWARD_SERVER_ID,
                Verdict.PASS_NO_SERVICE,
                Verdict.PASS_NOT_IP,
                Verdict.DROP_MALFORMED,
                Verdict.DROP_NO_REAL,
                Verdict.DROP_TTL,
                Verdict.DROP_TOO_BIG,
                Verdict.DROP_NO_NEXT_HOP,
                Verdict.ANSWER_TOO_BIG);
        assertReaches(
                Kind.FRAGMENT,
                Verdict.FORWARD_FRAGMENT,
                Verdict.FORWARD_SERVER_ID,
                Verdict.DROP_FRAGMENT,
                Verdict.PASS_FRAGMENT,
                Verdict.DROP_MALFORMED);
        assertReaches(Kind.ICMP_ERROR, Verdict.DROP_MALFORMED, Verdict.DROP_NO_REAL, Verdict.PASS_NO_SERVICE);
        assertReaches(Kind.ECHO, Verdict.ANSWER_ECHO, Verdict.PASS_NO_SERVICE);
        assertReaches(Kind.TUNNELLED, Verdict.PASS_NO_SERVICE);
        assertReaches(Kind.ABOUT_TUNNEL, Verdict.ANSWER_PATH_MTU, Verdict.PASS_NO_SERVICE);
    }

    @Test
    void aSeedMakesTheSameFramesAgain() {
        Random random = new Random(7);
        Random again = new Random(7);
        Scenario scenario = new Scenario(random);
        PacketGenerator generator = new PacketGenerator(random, scenario);
        PacketGenerator second = new PacketGenerator(again, new Scenario(again));
        for (int i = 0; i < 1000; i++) {
            assertEquals(FrameText.of(generator.next()), FrameText.of(second.next()));
        }
    }
}
