// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.hashing.LookupTable;

/** Prime numbers up to the largest size of a lookup table, which is one. */
final class Prime {
    private Prime() {}

    static boolean is(int number) {
        return LookupTable.isSize(number);
    }

    /** The prime that is closest to {@code number}, which is 3 to that size; of two, the larger one. */
    static int nearest(int number) {
        int distance = 0;
        while (!is(number + distance) && !is(number - distance)) {
            distance++;
        }
        return is(number + distance) ? number + distance : number - distance;
    }
}
