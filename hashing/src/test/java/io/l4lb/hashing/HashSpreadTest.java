// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The spread of the flow hash over the slots of a table, and over reals, on flows as they come.
 *
 * <p>Where the bounds come from: Pearson's X = sum of (seen - expected)^2 / expected over k + 1 cells is, for a random
 * function, about chi-square distributed with k degrees of freedom. By Laurent and Massart (2000, lemma 1) such an X
 * exceeds k + 2 sqrt(k x) + 2 x, or stays below k - 2 sqrt(k x), with a probability of at most exp(-x) each. With x =
 * 25 that is 1.4 * 10^-11, about 7 deviations for many cells. Too even is refused like too uneven: then the hash follows
 * its input, and there is other traffic that piles up. Traffic and seeds are fixed, so the outcome is the same in every
 * run.
 */
class HashSpreadTest {
    private static final int SIZE = LookupTable.DEFAULT_SIZE;
    private static final double X = 25;
    private static final int SEEDS = 8;

    /** So many reals that each has about 650 flows of 65536. */
    private static final int REALS = 100;
    /** So many that each has 16 flows of a /24. */
    private static final int FEW_REALS = 16;

    @ParameterizedTest
    @EnumSource
    void spreadsOverSlotsAndReals(Traffic traffic) {
        Random random = new Random(2);
        for (int i = 0; i < SEEDS; i++) {
            HashSeed seed = new HashSeed(random.nextLong(), random.nextLong());
            assertEquals(List.of(), complaints(traffic, key -> SipHash.hash13(seed, key)), traffic.toString());
        }
    }

    /**
     * The sum piles up what counts up in two places, and is far too even on the rest; so is the product, which anybody
     * can aim. The added port piles up what differs in what it adds or does not look at.
     */
    @Test
    void weakHashesAreSeen() {
        assertEquals(EnumSet.allOf(Traffic.class), refused(WeakHash.SUM));
        assertEquals(EnumSet.complementOf(EnumSet.of(Traffic.ONE_SLASH24)), refused(WeakHash.FOLDED_PRODUCT));
        assertEquals(EnumSet.of(Traffic.PORTS_OF_A_SLASH24, Traffic.ALL_PORTS_OF_A_VIP), refused(WeakHash.PORT_ADDED));
    }

    private static Set<Traffic> refused(ToLongFunction<byte[]> hash) {
        Set<Traffic> refused = EnumSet.noneOf(Traffic.class);
        for (Traffic traffic : Traffic.values()) {
            if (!complaints(traffic, hash).isEmpty()) {
                refused.add(traffic);
            }
        }
        return refused;
    }

    /** What is not random about the slots of that traffic. */
    private static List<String> complaints(Traffic traffic, ToLongFunction<byte[]> hash) {
        int[] perSlot = new int[SIZE];
        traffic.keys().forEach(key -> perSlot[LookupTable.slotOf(hash.applyAsLong(key), SIZE)]++);
        List<Pearson> measured = new ArrayList<>();
        if (traffic.count() >= SIZE / 2) {
            measured.add(Pearson.overReals(perSlot, traffic.count(), REALS));
            // As many cells as slots; with far fewer flows than cells the distribution is no chi-square.
            measured.add(Pearson.overReals(perSlot, traffic.count(), SIZE));
        } else {
            measured.add(Pearson.overReals(perSlot, traffic.count(), FEW_REALS));
        }
        return measured.stream()
                .filter(pearson -> !pearson.isPlausible())
                .map(Pearson::toString)
                .toList();
    }

    private record Pearson(int degrees, double chiSquare) {
        /**
         * Folds slots to reals of which each has a run of slots; that is harder than a scheduler's table, which
         * scatters them.
         */
        static Pearson overReals(int[] perSlot, int flows, int reals) {
            int[] seen = new int[reals];
            int[] slots = new int[reals];
            for (int slot = 0; slot < perSlot.length; slot++) {
                int real = (int) ((long) slot * reals / perSlot.length);
                seen[real] += perSlot[slot];
                slots[real]++;
            }
            double chiSquare = 0;
            for (int real = 0; real < reals; real++) {
                double expected = (double) flows * slots[real] / perSlot.length;
                double off = seen[real] - expected;
                chiSquare += off * off / expected;
            }
            return new Pearson(reals - 1, chiSquare);
        }

        boolean isPlausible() {
            double margin = 2 * Math.sqrt(degrees * X);
            return chiSquare > degrees - margin && chiSquare < degrees + margin + 2 * X;
        }

        /** With the distance from the mean in standard deviations. */
        @Override
        public String toString() {
            double deviations = (chiSquare - degrees) / Math.sqrt(2.0 * degrees);
            return String.format("chi-square %.1f of %d degrees of freedom: %+.1f", chiSquare, degrees, deviations);
        }
    }
}
