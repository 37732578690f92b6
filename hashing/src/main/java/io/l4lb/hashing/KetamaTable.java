// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.Arrays;
import java.util.List;

/**
 * Ketama: consistent hashing on a ring of 2^64 places. Every real has points on the ring, in proportion to its weight, and
 * a slot belongs to the first point at its own place or after it; slot s of M is at s/M of the way round.
 *
 * <p>The points of a real are the first of its {@link HashStream}, and how many they are depends on its own weight alone:
 * the original divides by the sum of all weights, so that one real's change adds or takes points at others. Here a
 * weight is scaled by a power of two, such that the median weight has {@value #MEDIAN_POINTS} to twice as many points: a
 * change of one real, or of few, does not change the median's order of magnitude. When a change of most weights does, half
 * of all points come or go. The scale is smaller where that many points would be more than {@value #POINTS_PER_SLOT}
 * for each slot. Every real has a point at least.
 *
 * <p>Shares spread by about the square root of a real's number of points, and a real of little weight may have no slot.
 *
 * <p>Sources: Karger et al., "Consistent Hashing and Random Trees", STOC 1997; libketama, 2007.
 */
final class KetamaTable implements TableBuilder {
    private static final int MEDIAN_POINTS = 128;
    private static final int POINTS_PER_SLOT = 16;
    private static final int NO_POINT = -1;

    @Override
    public int[] fill(List<WeightedReal> reals, int size, HashSeed seed) {
        int shift = shift(reals, size);
        int[] owners = new int[size];
        Arrays.fill(owners, NO_POINT);
        long[] places = new long[size];
        for (int real = 0; real < reals.size(); real++) {
            HashStream hashes = new HashStream(reals.get(real).identity(), seed);
            for (long left = points(reals.get(real).weight(), shift); left > 0; left--) {
                put(real, hashes.next(), owners, places);
            }
        }
        return owned(owners);
    }

    /** Of the points between the places of two slots only the first one after a slot's own can own anything. */
    private static void put(int real, long place, int[] owners, long[] places) {
        int before = LookupTable.slotOf(place, owners.length);
        int order = owners[before] == NO_POINT ? -1 : Long.compareUnsigned(place, places[before]);
        if (order < 0 || (order == 0 && real < owners[before])) {
            owners[before] = real;
            places[before] = place;
        }
    }

    /** Fills the slots after which no point comes before the next slot: theirs is the next slot's owner. */
    private static int[] owned(int[] owners) {
        int first = 0;
        while (owners[first] == NO_POINT) {
            first++;
        }
        int next = owners[first];
        for (int slot = owners.length - 1; slot >= 0; slot--) {
            if (owners[slot] == NO_POINT) {
                owners[slot] = next;
            }
            next = owners[slot];
        }
        return owners;
    }

    /** By how many bits weights are shifted to the left to make numbers of points; negative: to the right. */
    private static int shift(List<WeightedReal> reals, int size) {
        int[] weights = reals.stream().mapToInt(WeightedReal::weight).sorted().toArray();
        int median = weights[weights.length / 2];
        int shift = Integer.numberOfLeadingZeros(median) - Integer.numberOfLeadingZeros(MEDIAN_POINTS);
        while (points(weights, shift) > (long) POINTS_PER_SLOT * size && points(weights, shift) > weights.length) {
            shift--;
        }
        return shift;
    }

    private static long points(int[] weights, int shift) {
        return Arrays.stream(weights).mapToLong(weight -> points(weight, shift)).sum();
    }

    private static long points(int weight, int shift) {
        return shift >= 0 ? (long) weight << shift : Math.max(1, Math.round(Math.scalb((double) weight, shift)));
    }
}
