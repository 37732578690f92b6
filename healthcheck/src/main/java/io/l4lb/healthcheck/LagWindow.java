// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** By how much probes start late, over the last half minute to minute. Any thread may call it. */
final class LagWindow {
    private static final long HALF = TimeUnit.SECONDS.toNanos(30);
    private static final long LONGEST = TimeUnit.HOURS.toNanos(1);
    private static final int DIGITS = 2;

    private Histogram older = histogram();
    private Histogram newer = histogram();
    private long since;

    /** @param now nanoseconds, never decreasing */
    synchronized void record(long lag, long now) {
        rotate(now);
        newer.recordValue(Math.max(0, Math.min(lag, LONGEST)));
    }

    /** What was recorded, {@code now} being the same clock as in {@link #record}. */
    synchronized ProbeStatistics.Lag lag(long now) {
        rotate(now);
        Histogram all = older.copy();
        all.add(newer);
        return all.getTotalCount() == 0
                ? ProbeStatistics.Lag.NONE
                : new ProbeStatistics.Lag(
                        Duration.ofNanos(all.getValueAtPercentile(50)),
                        Duration.ofNanos(all.getValueAtPercentile(99)),
                        Duration.ofNanos(all.getMaxValue()));
    }

    private void rotate(long now) {
        if (now - since < HALF) {
            return;
        }
        boolean longAgo = now - since >= 2 * HALF;
        Histogram empty = older;
        empty.reset();
        older = newer;
        newer = empty;
        if (longAgo) {
            older.reset();
        }
        since = now;
    }

    private static Histogram histogram() {
        return new Histogram(LONGEST, DIGITS);
    }
}
