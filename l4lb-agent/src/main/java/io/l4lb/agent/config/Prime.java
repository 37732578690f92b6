// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

/** Prime numbers, as the sizes of lookup tables have to be. */
final class Prime {
    private Prime() {}

    static boolean is(int number) {
        if (number < 2 || (number % 2 == 0 && number != 2)) {
            return false;
        }
        for (int divisor = 3; (long) divisor * divisor <= number; divisor += 2) {
            if (number % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    /** The prime that is closest to {@code number}, which is 3 or more; of two, the larger one. */
    static int nearest(int number) {
        int distance = 0;
        while (!is(number + distance) && !is(number - distance)) {
            distance++;
        }
        return is(number + distance) ? number + distance : number - distance;
    }
}
