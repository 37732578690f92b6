// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many slots each real is due: its share by weight, rounded down or up so that the sum is the number of slots
 * (largest remainders), in integers alone.
 *
 * <p>A weight above zero is never rounded to nothing: such a real has at least one slot, at the cost of the others.
 * With more reals than slots, the heaviest have one each.
 */
final class Apportionment {
    private Apportionment() {}

    /**
     * The number of slots for each of the reals, in their order.
     *
     * @param reals sorted by identity (which decides ties), weights above 0
     */
    static int[] quotas(List<WeightedReal> reals, int size) {
        int[] quotas = new int[reals.size()];
        int[] heaviestFirst = IntStream.range(0, reals.size())
                .boxed()
                .sorted(Comparator.comparing((Integer real) -> -reals.get(real).weight()))
                .mapToInt(Integer::intValue)
                .toArray();
        if (reals.size() >= size) {
            for (int i = 0; i < size; i++) {
                quotas[heaviestFirst[i]] = 1;
            }
            return quotas;
        }
        long weight = reals.stream().mapToLong(WeightedReal::weight).sum();
        int left = size;
        int rest = reals.size();
        while (weightOf(reals, heaviestFirst[rest - 1]) * left < weight) {
            rest--;
            quotas[heaviestFirst[rest]] = 1;
            weight -= weightOf(reals, heaviestFirst[rest]);
            left--;
        }
        shareOut(reals, IntStream.of(heaviestFirst).limit(rest).sorted().toArray(), left, weight, quotas);
        return quotas;
    }

    /** Largest remainders over the reals that are due one slot or more. */
    private static void shareOut(List<WeightedReal> reals, int[] due, int slots, long weight, int[] quotas) {
        int left = slots;
        for (int real : due) {
            quotas[real] = (int) (weightOf(reals, real) * slots / weight);
            left -= quotas[real];
        }
        IntStream.of(due)
                .boxed()
                .sorted(Comparator.comparing((Integer real) -> -(weightOf(reals, real) * slots % weight)))
                .limit(left)
                .forEach(real -> quotas[real]++);
    }

    /** As a long: a weight times a number of slots needs 54 bits. */
    private static long weightOf(List<WeightedReal> reals, int real) {
        return reals.get(real).weight();
    }
}
