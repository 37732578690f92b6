// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts probes. Any thread may read it. */
final class Tally {
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong successes = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final AtomicLong inconclusive = new AtomicLong();

    void started() {
        inFlight.incrementAndGet();
    }

    void ended(Verdict verdict) {
        inFlight.decrementAndGet();
        AtomicLong count =
                switch (verdict.outcome()) {
                    case SUCCESS -> successes;
                    case FAILURE -> failures;
                    case INCONCLUSIVE -> inconclusive;
                };
        count.incrementAndGet();
    }

    int inFlight() {
        return inFlight.get();
    }

    ProbeStatistics.Verdicts verdicts() {
        return new ProbeStatistics.Verdicts(successes.get(), failures.get(), inconclusive.get());
    }
}
