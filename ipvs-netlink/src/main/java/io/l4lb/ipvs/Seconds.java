// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import java.time.Duration;

/** Durations as IPVS has them: whole seconds. */
final class Seconds {
    private Seconds() {}

    static void check(String what, Duration duration, long limit) {
        long seconds = duration.toSeconds();
        if (seconds < 0 || seconds > limit || !duration.equals(Duration.ofSeconds(seconds))) {
            throw new IllegalArgumentException(what + " of " + duration + " is not 0 to " + limit + " whole seconds");
        }
    }
}
