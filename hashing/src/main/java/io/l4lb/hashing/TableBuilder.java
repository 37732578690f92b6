// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.util.List;

/** One way to give the slots of a table to reals. {@link Scheduler} takes care of what all ways have in common. */
interface TableBuilder {
    /**
     * Names a real for every slot: a pure function of its arguments, the same on every JVM.
     *
     * @param reals at least one, each with a weight above 0, sorted by identity, no identity twice
     * @param size number of slots, prime
     * @return {@code size} indices into {@code reals}
     */
    int[] fill(List<WeightedReal> reals, int size, HashSeed seed);
}
