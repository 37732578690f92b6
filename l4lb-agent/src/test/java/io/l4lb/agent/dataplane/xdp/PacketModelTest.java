// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.Verdict;
import io.l4lb.test.Machine;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The XDP program does with each packet what the packet model decides: the same verdict, the same bytes, the same flows
 * and fragments remembered, the same counters. {@code -Dl4lb.packets} says how many packets, {@code -Dl4lb.seed} which
 * ones.
 */
@Tag("kernel")
final class PacketModelTest {
    private static final int PACKETS = Integer.getInteger("l4lb.packets", 20_000);
    private static final long SEED = Long.getLong("l4lb.seed", 1L);
    /** Each scenario loads the program anew: of many packets, more share one. */
    private static final int SCENARIO = Math.min(Math.max(2000, PACKETS / 50), 20_000);

    private static final int CHANGE = SCENARIO / 20;

    private final Set<Verdict> reached = EnumSet.noneOf(Verdict.class);

    @BeforeEach
    void needBpf() {
        Machine.needBpf();
    }

    @Test
    void theProgramDoesWhatTheModelDecides() {
        assertEquals("", difference(ReferenceModel.RIGHT, Mistake.NONE).orElse(""));
        // BPF_PROG_TEST_RUN always leaves headroom.
        assertEquals(EnumSet.complementOf(EnumSet.of(Verdict.DROP_NO_HEADROOM)), reached);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RIGHT")
    void aWrongModelIsCaught(ReferenceModel wrong) {
        assertTrue(difference(wrong, Mistake.NONE).isPresent());
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void aMistakeIsCaught(Mistake mistake) {
        assertTrue(difference(ReferenceModel.RIGHT, mistake).isPresent());
    }

    /** The first difference. */
    private Optional<String> difference(ReferenceModel reference, Mistake mistake) {
        Random random = new Random(SEED);
        for (int done = 0; done < PACKETS; done += SCENARIO) {
            Scenario scenario = new Scenario(random);
            try (Comparison comparison = new Comparison(scenario)) {
                Optional<String> difference = difference(
                        comparison, new Run(reference, mistake, scenario, random, Math.min(SCENARIO, PACKETS - done)));
                if (difference.isPresent()) {
                    return Optional.of("seed " + SEED + ", packets " + PACKETS + ", after " + done + ": "
                            + difference.get() + "\n  " + scenario);
                }
            }
        }
        return Optional.empty();
    }

    private record Run(ReferenceModel reference, Mistake mistake, Scenario scenario, Random random, int packets) {
        PacketModel model(ModelMemories memories) {
            return reference.of(scenario, memories.flows(), memories.fragments());
        }
    }

    private Optional<String> difference(Comparison comparison, Run run) {
        ModelMemories memories = new ModelMemories();
        PacketGenerator generator = new PacketGenerator(run.random, run.scenario);
        PacketModel model = run.model(memories);
        for (int i = 1; i <= run.packets; i++) {
            int number = i;
            byte[] frame = generator.next();
            PacketDecision decision = model.decide(frame);
            reached.add(decision.verdict());
            byte[] leaves =
                    decision.frame().length == 0 ? decision.frame() : run.mistake.in(decision.frame(), decision);
            Optional<String> difference = comparison.difference(frame, decision, leaves);
            if (difference.isPresent()) {
                return difference.map(text -> text + "\n  " + generator.kind() + " number " + number + "\n  frame   "
                        + FrameText.of(frame) + "\n  "
                        + decision.service().map(Object::toString).orElse("no service"));
            }
            if (i % CHANGE == 0) {
                Scenario.Change change = run.scenario.change();
                comparison.make(change);
                memories.make(change);
                model = run.model(memories);
            }
        }
        return comparison.memoriesDiffer(memories);
    }
}
