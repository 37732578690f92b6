// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ApportionmentTest {
    private static final int LARGEST = Integer.MAX_VALUE;

    @Test
    void roundsByLargestRemainder() {
        assertArrayEquals(new int[] {5, 3, 3}, quotas(11, 2, 1, 1));
        assertArrayEquals(new int[] {3, 2, 2}, quotas(7, 1, 1, 1));
        assertArrayEquals(new int[] {6, 1}, quotas(7, 5, 1));
        assertArrayEquals(new int[] {7}, quotas(7, 3));
    }

    @Test
    void noWeightAboveZeroIsRoundedToNothing() {
        assertArrayEquals(new int[] {1, 65536}, quotas(65537, 1, LARGEST));
        assertArrayEquals(new int[] {1, 1, 5}, quotas(7, 1, 1, 1000));
        assertArrayEquals(new int[] {1, 3, 3}, quotas(7, 1, LARGEST, LARGEST));
    }

    @Test
    void withMoreRealsThanSlotsTheHeaviestHaveOneEach() {
        assertArrayEquals(new int[] {0, 1, 1, 1}, quotas(3, 1, 2, 3, 4));
        assertArrayEquals(new int[] {1, 1, 1, 0}, quotas(3, 5, 5, 5, 5));
        assertArrayEquals(new int[] {1, 1, 1}, quotas(3, 1, LARGEST, 1));
    }

    @Property
    void addsUpAndIsWithinOneOfTheShare(
            @ForAll @Size(min = 1, max = 100) List<@IntRange(min = 100, max = 10_000) Integer> weights) {
        int size = 65537; // large enough for every real to be due a slot: the smallest share is 6
        int[] quotas = quotas(size, toArray(weights));
        assertEquals(size, Arrays.stream(quotas).sum());
        long sum = weights.stream().mapToLong(Integer::longValue).sum();
        for (int i = 0; i < quotas.length; i++) {
            double share = (double) weights.get(i) * size / sum;
            assertTrue(Math.abs(quotas[i] - share) < 1, quotas[i] + " slots for a share of " + share);
        }
    }

    @Property
    void addsUpAndFollowsTheOrderOfWeights(@ForAll @Size(min = 1, max = 50) List<@IntRange(min = 1) Integer> weights) {
        int size = 31;
        int[] quotas = quotas(size, toArray(weights));
        assertEquals(size, Arrays.stream(quotas).sum());
        int least = weights.size() <= size ? 1 : 0;
        for (int i = 0; i < quotas.length; i++) {
            assertTrue(quotas[i] >= least);
            for (int j = 0; j < quotas.length; j++) {
                assertTrue(weights.get(i) <= weights.get(j) || quotas[i] >= quotas[j]);
            }
        }
    }

    private static int[] toArray(List<Integer> weights) {
        return weights.stream().mapToInt(Integer::intValue).toArray();
    }

    private static int[] quotas(int size, int... weights) {
        List<WeightedReal> reals = IntStream.range(0, weights.length)
                .mapToObj(i -> new WeightedReal(String.format("real-%03d", i), weights[i]))
                .toList();
        return Apportionment.quotas(reals, size);
    }
}
