// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Availability.Panic;
import io.l4lb.healthcheck.HealthState;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The rule over the life of a service, with a clock of its own. */
final class PanicRuleTest {
    private static final Panic HALF = new Panic(50, Duration.ofSeconds(30));

    private final PanicRule<String> rule = new PanicRule<>();
    private final Map<String, HealthState> states = new TreeMap<>();
    private Instant now = Instant.EPOCH;
    private Optional<String> thawed = Optional.empty();

    @Test
    void aPathThatBreaksFreezesAndMendsItself() {
        up("a", "b", "c", "d");
        after(100).down("a");
        after(1).down("b");
        assertFalse(frozen(), "half is no more than half");
        after(1).down("c");
        assertEquals(
                "3 of 4 reals failed within 30s", rule.frozen().orElseThrow().reason());
        after(1).down("d");
        assertEquals(Set.of("a", "b", "c", "d"), rule.frozen().orElseThrow().good());
        after(600).step();
        assertTrue(frozen(), "for as long as it takes");
        up("d");
        assertTrue(frozen());
        up("a");
        assertFalse(frozen());
        assertEquals(Optional.of("2 of 4 reals are down"), thawed);
    }

    @Test
    void whatFailsSlowlyIsBelieved() {
        up("a", "b", "c", "d");
        for (String real : Set.of("a", "b", "c", "d")) {
            after(1200).down(real);
            assertFalse(frozen(), real);
        }
    }

    @Test
    void failuresOfAWindowCountTogetherAndNoOlderOnes() {
        up("a", "b", "c", "d");
        after(10).down("a");
        after(31).down("b");
        after(1).down("c");
        assertTrue(frozen(), "two of the three that were up");
        assertEquals(Set.of("b", "c", "d"), rule.frozen().orElseThrow().good());
    }

    @Test
    void twoRealsAreTooFewToDoubtTheirFailure() {
        up("a", "b");
        after(10).down("a", "b");
        assertFalse(frozen());
    }

    @Test
    void whatWasNeverUpHasNotFailed() {
        set(HealthState.UNKNOWN, "a", "b", "c", "d");
        after(5).down("a", "b", "c", "d");
        assertFalse(frozen());
    }

    @Test
    void aRealThatFlapsIsOneReal() {
        up("a", "b", "c", "d");
        for (int i = 0; i < 20; i++) {
            after(1).down("a");
            after(1).up("a");
            assertFalse(frozen());
        }
    }

    @Test
    void anOperatorWhoBelievesTheProbesEndsItUntilMoreFail() {
        up("a", "b", "c", "d", "e", "f", "g");
        after(10).down("a", "b", "c", "d");
        assertTrue(frozen());
        rule.accept();
        after(1).step();
        assertFalse(frozen(), "the same failures are accepted");
        after(1).down("e", "f");
        assertTrue(frozen(), "two of the three that were left");
    }

    @Test
    void drainedAndRemovedRealsHaveNotFailed() {
        up("a", "b", "c", "d");
        states.keySet().removeAll(Set.of("a", "b", "c"));
        after(1).step();
        assertFalse(frozen());
        up("a", "b", "c");
        after(10);
        states.put("a", HealthState.DOWN);
        states.put("b", HealthState.DOWN);
        states.put("c", HealthState.DOWN);
        thawed = rule.step(states, Set.of("c", "d"), HALF, HALF.window(), now);
        assertFalse(frozen());
    }

    @Test
    void aReloadThatTakesFailedRealsAwayEndsIt() {
        up("a", "b", "c", "d");
        after(10).down("a", "b", "c");
        assertTrue(frozen());
        states.keySet().removeAll(Set.of("a", "b"));
        after(1).step();
        assertFalse(frozen(), "one of two is down");
    }

    @Test
    void aShareOfAHundredNeverFreezes() {
        Panic never = new Panic(100, Duration.ofSeconds(30));
        up("a", "b", "c");
        set(HealthState.DOWN, "a", "b", "c");
        var unused = rule.step(states, states.keySet(), never, never.window(), now);
        assertFalse(frozen());
    }

    @Test
    void whatAnEarlierRunFrozeStaysSo() {
        rule.restore(new PanicRule.Frozen<>(Set.of("a", "b", "c"), "3 of 3 reals failed within 30s"));
        set(HealthState.DOWN, "a", "b", "c");
        assertTrue(frozen());
        up("a", "b");
        assertFalse(frozen());
    }

    @Test
    void whoCameUpAfterTheFirstFailureWasNotGoodBeforeIt() {
        up("a", "b", "c", "d");
        after(1).down("a");
        after(1);
        up("e", "f");
        after(1).down("e", "f");
        assertFalse(frozen(), "of a, b, c and d only one");
        down("b", "c");
        assertEquals(Set.of("a", "b", "c", "d"), rule.frozen().orElseThrow().good());
    }

    /** Those that are still down have failed within the window too, and are more than half of those that did not come back. */
    @Test
    void whatIsLeftIsNotEnteredAgainForTheSameFailures() {
        up("a", "b", "c", "d", "e", "f");
        after(1).down("a", "b", "c", "d", "e", "f");
        assertTrue(frozen());
        after(1);
        up("a", "b", "c");
        assertFalse(frozen());
        after(1).step();
        assertFalse(frozen());
    }

    private boolean frozen() {
        return rule.frozen().isPresent();
    }

    private PanicRuleTest after(long seconds) {
        now = now.plusSeconds(seconds);
        return this;
    }

    private void up(String... reals) {
        set(HealthState.UP, reals);
    }

    private void down(String... reals) {
        set(HealthState.DOWN, reals);
    }

    private void set(HealthState state, String... reals) {
        for (String real : reals) {
            states.put(real, state);
        }
        step();
    }

    private void step() {
        thawed = rule.step(states, states.keySet(), HALF, HALF.window(), now);
    }
}
