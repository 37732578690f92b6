// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.util.List;
import java.util.Random;

/** What packet generators ask of a random number generator. */
final class Dice {
    private final Random random;

    Dice(Random random) {
        this.random = random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    /** True once in so many times. */
    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    boolean rarely() {
        return oneIn(20);
    }

    int one(int... of) {
        return of[random.nextInt(of.length)];
    }

    <T> T one(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    Random random() {
        return random;
    }
}
