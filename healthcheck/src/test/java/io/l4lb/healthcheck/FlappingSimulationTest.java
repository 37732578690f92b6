// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.check.TcpCheck;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** Hours of a real's life in milliseconds, with a clock of its own: what it is, and what is believed of it. */
final class FlappingSimulationTest {
    private static final Hold HOLD = new Hold(Duration.ofSeconds(10), Duration.ofMinutes(1), Duration.ofMinutes(1));
    private static final Timing TIMING = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(1), 2, 3, HOLD);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** From and until when it was believed to be in a state, in seconds. */
    private record Spell(HealthState state, long from, long until) {
        long seconds() {
            return until - from;
        }
    }

    @Test
    void aRealThatIsWellStaysUp() {
        List<Spell> spells = live(TIMING, 3600, second -> true);
        assertEquals(List.of(HealthState.UNKNOWN, HealthState.UP), states(spells));
    }

    @Test
    void oneLostAnswerInTenTakesNothingDown() {
        List<Spell> spells = live(TIMING, 3600, second -> second % 10 != 5);
        assertEquals(List.of(HealthState.UNKNOWN, HealthState.UP), states(spells));
    }

    @Test
    void aRealThatFlapsIsHeldDownForLongerEachTime() {
        // Well for 20 s, ill for 5 s, all over again.
        List<Spell> down = live(TIMING, 1200, second -> second % 25 < 20).stream()
                .filter(spell -> spell.state() == HealthState.DOWN)
                .toList();
        long least = 0;
        for (int i = 0; i + 1 < down.size(); i++) {
            long hold = Math.min(60, 10L << Math.min(i, 10));
            assertTrue(down.get(i).seconds() >= hold, down.toString());
            assertTrue(down.get(i).seconds() >= least || least >= 60, down.toString());
            least = Math.min(60, down.get(i).seconds());
        }
        assertTrue(down.size() < 20, "without a hold it would go down 48 times: " + down);
    }

    @Test
    void withoutAHoldItGoesUpAndDownWithTheReal() {
        Timing plain = new Timing(Duration.ofSeconds(1), 2, 3);
        long down = live(plain, 1200, second -> second % 25 < 20).stream()
                .filter(spell -> spell.state() == HealthState.DOWN)
                .count();
        assertTrue(down >= 47 && down <= 49, "went down " + down + " times");
    }

    @Test
    void flapsAreForgottenAfterAWhileOfBeingUp() {
        // Three flaps, then two minutes of being well, then ill once: that is no flap any more.
        List<Spell> down =
                live(TIMING, 600, second -> second >= 100 ? second < 400 || second > 410 : second % 25 < 20).stream()
                        .filter(spell -> spell.state() == HealthState.DOWN)
                        .toList();
        Spell last = down.get(down.size() - 1);
        assertTrue(last.from() >= 400, down.toString());
        assertTrue(last.seconds() < 20, "ill for ten seconds, and not held: " + down);
    }

    @Test
    void aRealThatIsDownIsProbedAtItsOwnInterval() {
        Timing patient = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(20), 2, 3, Hold.NONE);
        int[] probes = new int[1];
        run(patient, 1000, second -> false, probes);
        assertTrue(probes[0] > 40 && probes[0] < 60, "about one in twenty seconds: " + probes[0]);
    }

    private static List<HealthState> states(List<Spell> spells) {
        return spells.stream().map(Spell::state).toList();
    }

    private static List<Spell> live(Timing timing, long seconds, LongPredicate well) {
        return run(timing, seconds, well, new int[1]);
    }

    private static List<Spell> run(Timing timing, long seconds, LongPredicate well, int[] probes) {
        long[] now = new long[1];
        HealthCore core = new HealthCore(
                (probe, trace, sink) -> {
                    probes[0]++;
                    sink.accept(Targets.verdict(well.test(now[0] / SECOND), "test"));
                },
                () -> Instant.EPOCH.plusNanos(now[0]),
                new Random(7),
                () -> {});
        ProbeTarget target = Targets.target("real", new InetSocketAddress("192.0.2.1", 80), 0, new TcpCheck(), timing);
        core.setTargets(List.of(target), Targets.in(HealthState.UNKNOWN), 0);
        List<Spell> spells = new ArrayList<>();
        HealthState state = HealthState.UNKNOWN;
        long since = 0;
        while (now[0] < seconds * SECOND) {
            now[0] = core.step(now[0]).orElseThrow();
            HealthState next = core.snapshot().state("real");
            if (next != state) {
                spells.add(new Spell(state, since, now[0] / SECOND));
                state = next;
                since = now[0] / SECOND;
            }
        }
        spells.add(new Spell(state, since, seconds));
        return spells;
    }
}
