// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

final class NumbersTest {
    /** Flows are read only when all numbers have been used. */
    private static Set<Integer> notAsked() {
        throw new AssertionError("nobody needs to know which numbers flows name");
    }

    private static RealValue real(InetAddress address, int service, boolean active) {
        return new RealValue(address, service, active, Forwarding.IPIP);
    }

    private static int activate(Numbers numbers, int service, InetAddress address, Supplier<Set<Integer>> named) {
        int number = numbers.numberFor(service, address, named);
        numbers.put(number, real(address, service, true));
        return number;
    }

    @Test
    void newNumbersComeFirst() {
        Numbers numbers = new Numbers(3, Map.of());
        assertEquals(0, activate(numbers, 1, ONE, NumbersTest::notAsked));
        numbers.put(0, real(ONE, 1, false));
        assertEquals(1, activate(numbers, 1, TWO, NumbersTest::notAsked));
        assertEquals(2, activate(numbers, 2, ONE, NumbersTest::notAsked));
        assertEquals(Optional.of(1), numbers.number(1, TWO));
        assertEquals(Optional.empty(), numbers.number(2, TWO));
    }

    @Test
    void theKernelsNumbersAreTakenOver() {
        Numbers numbers = new Numbers(5, Map.of(0, real(ONE, 1, true), 1, real(TWO, 1, false)));
        assertEquals(1, numbers.numberFor(1, TWO, NumbersTest::notAsked));
        assertEquals(2, numbers.numberFor(2, ONE, NumbersTest::notAsked));
    }

    @Test
    void aRealThatReturnsHasItsNumber() {
        Numbers numbers = new Numbers(2, Map.of());
        int number = activate(numbers, 1, ONE, NumbersTest::notAsked);
        numbers.put(number, real(ONE, 1, false));
        activate(numbers, 1, TWO, NumbersTest::notAsked);
        assertEquals(number, activate(numbers, 1, ONE, NumbersTest::notAsked));
    }

    @Test
    void aNumberThatFlowsNameIsNotGivenAway() {
        Numbers numbers = new Numbers(3, Map.of());
        for (InetAddress address : List.of(ONE, TWO, SIX)) {
            int number = activate(numbers, 1, address, NumbersTest::notAsked);
            numbers.put(number, real(address, 1, false));
        }
        assertEquals(2, activate(numbers, 7, ONE, () -> Set.of(0, 1)));
        assertEquals(Optional.empty(), numbers.number(1, SIX));
        assertEquals(Optional.of(2), numbers.number(7, ONE));
        assertEquals(Optional.of(0), numbers.number(1, ONE));
    }

    @Test
    void exhaustionIsSaid() {
        Numbers numbers = new Numbers(2, Map.of());
        activate(numbers, 1, ONE, NumbersTest::notAsked);
        numbers.put(activate(numbers, 1, TWO, NumbersTest::notAsked), real(TWO, 1, false));
        assertEquals(
                "the map of reals is full: all 2 numbers belong to reals or are named by flows",
                assertThrows(DataplaneException.class, () -> numbers.numberFor(1, SIX, () -> Set.of(1)))
                        .getMessage());
        assertEquals(1, numbers.numberFor(1, SIX, Set::of));
    }

    /** Each step activates a real whose flows then name its number, or switches it off, or lets its flows end. */
    @Property
    void noFlowEverChangesItsReal(@ForAll @Size(max = 80) List<@IntRange(max = 35) Integer> steps) {
        Numbers numbers = new Numbers(6, Map.of());
        Set<Integer> named = new HashSet<>();
        for (int step : steps) {
            int service = step % 2;
            InetAddress address = ip("10.3.0." + (1 + step / 2 % 6));
            Optional<Integer> known = numbers.number(service, address);
            if (step < 12) {
                OptionalInt taken = take(numbers, service, address, named);
                taken.ifPresent(number -> {
                    assertTrue(known.isPresent() ? known.get() == number : !named.contains(number));
                    named.add(number);
                });
            } else if (step < 24) {
                known.ifPresent(number -> numbers.put(number, real(address, service, false)));
            } else {
                known.ifPresent(named::remove);
            }
        }
        assertFalse(numbers.reals().size() > 6);
    }

    private static OptionalInt take(Numbers numbers, int service, InetAddress address, Set<Integer> named) {
        Set<Integer> kept = new HashSet<>(named);
        numbers.reals().forEach((number, real) -> {
            if (real.active()) {
                kept.add(number);
            }
        });
        try {
            int number = numbers.numberFor(service, address, () -> named);
            boolean own = Optional.of(number).equals(numbers.number(service, address));
            assertTrue(own || !kept.contains(number), number + " is in use");
            numbers.put(number, real(address, service, true));
            return OptionalInt.of(number);
        } catch (DataplaneException e) {
            assertEquals(6, kept.size());
            return OptionalInt.empty();
        }
    }
}
