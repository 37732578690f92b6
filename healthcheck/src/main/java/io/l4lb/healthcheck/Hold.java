// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;

/**
 * Keeps a target that flaps down for longer each time. A flap is going down after less than {@code memory} of being up. After the
 * first flap in a row the target stays down for {@code first} at least, after each further one for twice as long, {@code longest} at
 * most. Having been up for {@code memory} it starts from nothing.
 *
 * @param first 0: flapping is not dampened
 */
public record Hold(Duration first, Duration longest, Duration memory) {
    public static final Hold NONE = new Hold(Duration.ZERO, Duration.ZERO, Duration.ZERO);

    public Hold {
        if (first.isNegative() || longest.compareTo(first) < 0 || memory.isNegative()) {
            throw new IllegalArgumentException("a hold is not negative, and its longest not below its first: "
                    + Durations.text(first) + ", " + Durations.text(longest) + ", " + Durations.text(memory));
        }
    }

    /** How long a target stays down after so many flaps in a row. */
    public Duration after(int flaps) {
        Duration hold = flaps == 0 ? Duration.ZERO : first;
        for (int i = 1; i < flaps && hold.compareTo(longest) < 0; i++) {
            hold = hold.multipliedBy(2);
        }
        return hold.compareTo(longest) > 0 ? longest : hold;
    }
}
