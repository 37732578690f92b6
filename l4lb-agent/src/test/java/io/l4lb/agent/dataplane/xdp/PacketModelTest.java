// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.decision.InMemory;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.ServiceFlow;
import io.l4lb.test.InNamespace;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The XDP program does with each packet what the packet model decides: the same verdict, the same bytes, the same flows
 * remembered. {@code -Dl4lb.packets} says how many packets, {@code -Dl4lb.seed} which ones.
 */
@Tag("kernel")
final class PacketModelTest {
    private static final int PACKETS = Integer.getInteger("l4lb.packets", 20_000);
    private static final long SEED = Long.getLong("l4lb.seed", 1L);
    private static final int SCENARIO = 2000;
    private static final int CHANGE = 100;
    /** Fragments are not compared yet, see {@link NotYet}; BPF_PROG_TEST_RUN always leaves headroom. */
    private static final Set<String> UNREACHABLE = Set.of("pass-fragment", "drop-no-headroom");

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @Test
    void theProgramDoesWhatTheModelDecides() {
        try (Comparison comparison = new Comparison(lab)) {
            Optional<String> difference = compare(comparison, ReferenceModel.RIGHT, PACKETS);
            assertEquals("", difference.orElse(""));
            Set<String> reached = new TreeSet<>();
            comparison.counts().forEach((verdict, packets) -> {
                if (packets > 0) {
                    reached.add(verdict);
                }
            });
            Set<String> reachable = new TreeSet<>(Verdicts.NAMES);
            reachable.removeAll(UNREACHABLE);
            assertEquals(reachable, reached, () -> comparison.counts().toString());
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "RIGHT")
    void aWrongModelIsCaught(ReferenceModel wrong) {
        try (Comparison comparison = new Comparison(lab)) {
            assertTrue(compare(comparison, wrong, PACKETS).isPresent());
        }
    }

    /** The first difference within that many packets. */
    private static Optional<String> compare(Comparison comparison, ReferenceModel reference, int packets) {
        Random random = new Random(SEED);
        for (int done = 0; done < packets; done += SCENARIO) {
            Scenario scenario = new Scenario(random);
            Optional<String> difference =
                    compare(comparison, reference, scenario, random, Math.min(SCENARIO, packets - done));
            if (difference.isPresent()) {
                return Optional.of("seed " + SEED + ", within " + (done + SCENARIO) + " packets: " + difference.get());
            }
        }
        return Optional.empty();
    }

    private static Optional<String> compare(
            Comparison comparison, ReferenceModel reference, Scenario scenario, Random random, int packets) {
        InMemory<ServiceFlow> flows = new InMemory<>();
        comparison.begin(scenario);
        PacketGenerator generator = new PacketGenerator(random, scenario);
        ReferenceModel.Oracle model = reference.of(scenario, flows);
        for (int i = 1; i <= packets; i++) {
            byte[] frame = generator.next();
            PacketDecision decision = model.decide(frame);
            Optional<String> difference = comparison.difference(frame, decision);
            if (difference.isPresent()) {
                return difference.map(text -> text + "\n  frame   " + FrameText.of(frame) + "\n  "
                        + scenario.settings() + "\n  "
                        + decision.service().map(Object::toString).orElse("no service"));
            }
            if (i % CHANGE == 0) {
                comparison.install(scenario.change());
                model = reference.of(scenario, flows);
            }
        }
        Map<?, ?> differ = comparison.flowsThatDiffer(flows);
        return differ.isEmpty() ? Optional.empty() : Optional.of("flows are remembered otherwise: " + differ);
    }

    @Test
    void whatTheProgramDoesNotDoYetIsLeftOut() {
        Random random = new Random(SEED);
        PacketGenerator generator = new PacketGenerator(random, new Scenario(random));
        for (int i = 0; i < 1000; i++) {
            assertFalse(NotYet.leftOut(generator.next()));
        }
    }
}
