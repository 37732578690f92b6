// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** How a new flow gets its real: the ways to fill a {@link LookupTable}. */
public enum Scheduler {
    /** Weighted Maglev hashing, see {@link MaglevTable}. */
    MAGLEV {
        @Override
        TableBuilder builder() {
            return new MaglevTable();
        }
    },
    /** Weighted consistent hashing on a ring, see {@link KetamaTable}. */
    KETAMA {
        @Override
        TableBuilder builder() {
            return new KetamaTable();
        }
    },
    /** Weighted rendezvous hashing, see {@link RendezvousTable}. */
    RENDEZVOUS {
        @Override
        TableBuilder builder() {
            return new RendezvousTable();
        }
    };

    /** As written in the configuration: {@code maglev}. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract TableBuilder builder();

    /**
     * Builds the table: a function of the set of reals, their weights, the size and the seed, and of nothing else. The
     * order of the list does not matter, and a real of weight 0 does not influence the others.
     *
     * @param reals without regard to order; none, or all at weight 0, makes a table that names nobody
     * @param size number of slots, see {@link LookupTable#isSize}
     * @throws IllegalArgumentException for a size that is no {@link LookupTable#isSize size}, or an identity given
     *     twice
     */
    public LookupTable build(List<WeightedReal> reals, int size, HashSeed seed) {
        if (!LookupTable.isSize(size)) {
            throw new IllegalArgumentException(
                    "a table has a prime number of slots up to " + LookupTable.MAX_SIZE + ", not " + size);
        }
        List<WeightedReal> sorted =
                reals.stream().sorted(LookupTable.BY_IDENTITY).toList();
        List<WeightedReal> active = new ArrayList<>();
        int[] indices = new int[sorted.size()];
        for (int index = 0; index < sorted.size(); index++) {
            if (sorted.get(index).weight() > 0) {
                indices[active.size()] = index;
                active.add(sorted.get(index));
            }
        }
        if (active.isEmpty()) {
            int[] nobody = new int[size];
            Arrays.fill(nobody, LookupTable.NO_REAL);
            return LookupTable.ofOwn(sorted, nobody);
        }
        int[] slots = builder().fill(List.copyOf(active), size, seed);
        if (active.size() < sorted.size()) {
            for (int slot = 0; slot < size; slot++) {
                slots[slot] = indices[slots[slot]];
            }
        }
        return LookupTable.ofOwn(sorted, slots);
    }
}
