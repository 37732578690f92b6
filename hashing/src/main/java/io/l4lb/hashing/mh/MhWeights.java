// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import io.l4lb.hashing.WeightedReal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The weights that {@code mh} is given: small numbers, called levels, instead of those that were configured.
 *
 * <p>The kernel divides weights by their greatest common divisor, drops bits until the largest has six, and lets each
 * destination claim as many slots in a row as is left of its weight. Given weights as they are configured, 100, 100 and
 * 100 are turns of one slot, and 100, 100 and 101 turns of 50: of 100 reals' slots 56 % move because of one weight's
 * change of 1 %. And with turns of 50 the last round is over before all of 100 reals had theirs.
 *
 * <p>So weights are rounded to multiples of a unit first. It is the least power of two with which the levels add up to
 * no more than about {@code sqrt(reals * size / 2)} and none is above {@value #MOST}: with larger levels the unevenness
 * of the last round would be worse, which is one turn, with smaller ones that of rounding, which is half a unit. A power
 * of two stays the same while one weight changes by little, mostly, and leaves small whole weights exact. The division is
 * left to the kernel, for which reals of equal weight have turns of one slot and even shares: a level then depends on the
 * real's own weight and the unit alone, so that one real's change is one destination's.
 *
 * <p>Without a memory there is no way around a jump where the unit changes.
 */
public final class MhWeights {
    /** The largest level: six bits, of which the kernel drops none. */
    public static final int MOST = 63;

    private MhWeights() {}

    /**
     * The levels of a service's reals.
     *
     * @param reals with their configured weights, in any order; those of weight 0 have no influence on the others
     * @return sorted by identity, with levels from 1 to {@value #MOST} as weights, 0 for those of weight 0
     */
    public static List<WeightedReal> levels(Collection<WeightedReal> reals) {
        List<WeightedReal> sorted = reals.stream()
                .sorted(Comparator.comparing(WeightedReal::identity))
                .toList();
        int[] levels = levels(sorted.stream().mapToInt(WeightedReal::weight).toArray());
        return IntStream.range(0, levels.length)
                .mapToObj(i -> new WeightedReal(sorted.get(i).identity(), levels[i]))
                .toList();
    }

    private static int[] levels(int[] weights) {
        int unit = unit(weights);
        return Arrays.stream(weights)
                .map(weight -> weight == 0 ? 0 : Math.max(1, rounded(weight, unit)))
                .toArray();
    }

    /** How many bits a weight loses. */
    private static int unit(int[] weights) {
        long sum = Arrays.stream(weights).asLongStream().sum();
        long count = Arrays.stream(weights).filter(weight -> weight > 0).count();
        int most = Arrays.stream(weights).max().orElse(0);
        double room = Math.sqrt(count * KernelMaglev.SIZE / 2.0);
        int unit = 0;
        while (sum > room * (1L << unit) || rounded(most, unit) > MOST) {
            unit++;
        }
        return unit;
    }

    private static int rounded(int weight, int unit) {
        return (int) ((weight + (1L << unit >> 1)) >> unit);
    }

    /** Of those that are not 0; 0 if none is. */
    static int greatestCommonDivisor(int[] numbers) {
        return Arrays.stream(numbers).reduce(0, (a, b) -> {
            int divisor = a;
            int rest = b;
            while (rest != 0) {
                int remainder = divisor % rest;
                divisor = rest;
                rest = remainder;
            }
            return divisor;
        });
    }
}
