// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.SipHash;
import io.l4lb.hashing.WeightedReal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The baseline of the table figures: Maglev as the paper writes it down, reals taking turns, without weights. All
 * figures of a run are held against this one, so that a slow hour of the machine cancels out.
 *
 * <p>One liberty: permutations are stepped through instead of being stored, for N times M numbers would not fit a
 * cache, and nobody builds them.
 *
 * <p>Source: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016, section 3.4,
 * pseudocode 1.
 */
final class TurnTaking {
    private TurnTaking() {}

    /**
     * Builds the table.
     *
     * @param reals sorted by identity, at least one; weights are not looked at
     * @param size number of slots, prime
     */
    static LookupTable build(List<WeightedReal> reals, int size, HashSeed seed) {
        int count = reals.size();
        int[] skip = new int[count];
        int[] next = new int[count];
        for (int real = 0; real < count; real++) {
            byte[] name = reals.get(real).identity().getBytes(StandardCharsets.UTF_8);
            next[real] = (int) Long.remainderUnsigned(SipHash.hash13(seed, name), size);
            HashSeed other = new HashSeed(seed.k1(), seed.k0());
            skip[real] = 1 + (int) Long.remainderUnsigned(SipHash.hash13(other, name), size - 1);
        }
        return LookupTable.of(reals, populate(next, skip, size));
    }

    /**
     * Pseudocode 1.
     *
     * @param next the first slot of each real's permutation; used up
     * @param skip the step of each real's permutation
     */
    static int[] populate(int[] next, int[] skip, int size) {
        int[] entry = new int[size];
        Arrays.fill(entry, LookupTable.NO_REAL);
        int filled = 0;
        while (true) {
            for (int real = 0; real < next.length; real++) {
                int slot = next[real];
                while (entry[slot] != LookupTable.NO_REAL) {
                    slot = after(slot, skip[real], size);
                }
                entry[slot] = real;
                next[real] = after(slot, skip[real], size);
                filled++;
                if (filled == size) {
                    return entry;
                }
            }
        }
    }

    private static int after(int slot, int skip, int size) {
        int next = slot + skip;
        return next < size ? next : next - size;
    }
}
