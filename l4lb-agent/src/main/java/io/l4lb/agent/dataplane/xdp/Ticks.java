// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.time.Duration;

/** The balancer's time: a tick is 2^30 ns, a little more than a second, of CLOCK_MONOTONIC. */
final class Ticks {
    /** {@code L4LB_TICK_SHIFT}. */
    static final int SHIFT = 30;

    private static final double SECONDS = (double) (1L << SHIFT) / 1_000_000_000L;

    private Ticks() {}

    /** The tick of a time in ns of CLOCK_MONOTONIC, which {@link System#nanoTime} is on Linux. */
    static int at(long nanoseconds) {
        return (int) (nanoseconds >>> SHIFT);
    }

    /** How many ticks last at least that long; 0 for none at all. */
    static int lasting(Duration duration) {
        return (int) Math.min(Integer.MAX_VALUE, Math.ceil(duration.toMillis() / (1000 * SECONDS)));
    }

    /** How many of so many a second there are in a tick and on each of so many CPUs: at least 1, but 0 of 0. */
    static int share(int perSecond, int cpus) {
        return perSecond == 0 ? 0 : (int) Math.max(1, Math.min(Integer.MAX_VALUE, perSecond * SECONDS / cpus));
    }
}
