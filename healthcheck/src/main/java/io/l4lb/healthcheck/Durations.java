// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;

/** Durations as an operator writes them: {@code 1s}, {@code 1.5s}, {@code 300ms}. */
final class Durations {
    private Durations() {}

    static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis > -1000 && millis < 1000) {
            return millis + "ms";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis / 1000.0 + "s";
    }
}
