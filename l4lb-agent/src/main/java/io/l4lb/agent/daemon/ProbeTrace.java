// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.status.ProbeView.StepView;
import io.l4lb.healthcheck.Trace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes down what a probe does, and how long after its first step. For one thread. */
final class ProbeTrace implements Trace {
    private static final int MOST = 1000;

    private final Clock clock;
    private @Nullable Instant begin;
    private final List<StepView> steps = new ArrayList<>();

    ProbeTrace(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void note(String step) {
        Instant now = clock.instant();
        if (begin == null) {
            begin = now;
        }
        if (steps.size() < MOST) {
            steps.add(new StepView(HealthReport.millis(Duration.between(begin, now)), step));
        }
    }

    List<StepView> steps() {
        return List.copyOf(steps);
    }
}
