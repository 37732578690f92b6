// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** What is known about one target: its dampened state, and the last probe behind it. */
public record Health(Dampening dampening, Optional<LastProbe> last) {
    /** When a verdict came, and what it said. */
    public record LastProbe(Instant at, Verdict verdict) {
        public LastProbe {
            Objects.requireNonNull(at, "at");
            Objects.requireNonNull(verdict, "verdict");
        }
    }

    public Health {
        Objects.requireNonNull(dampening, "dampening");
        Objects.requireNonNull(last, "last");
    }

    /** Before the first verdict: UNKNOWN, or UP for a target that an earlier run left serving. */
    public static Health start(Timing timing, HealthState state, Instant since) {
        return new Health(Dampening.start(timing, state, since), Optional.empty());
    }

    public Health next(Verdict verdict, Instant at) {
        return new Health(dampening.next(verdict, at), Optional.of(new LastProbe(at, verdict)));
    }

    public Health with(Timing timing) {
        return new Health(dampening.with(timing), last);
    }

    public HealthState state() {
        return dampening.state();
    }

    /** False until the first verdict. */
    public boolean verified() {
        return dampening.verified();
    }

    /** The last verdict's words, or why there is none. */
    public String reason() {
        return last.map(probe -> probe.verdict().reason())
                .orElse(state() == HealthState.UNKNOWN ? "not probed yet" : "adopted, not probed yet");
    }

    /** When the present state began. */
    public Instant since() {
        return dampening.since();
    }

    public Optional<Instant> lastProbe() {
        return last.map(LastProbe::at);
    }

    public Optional<Duration> lastLatency() {
        return last.map(probe -> probe.verdict().latency());
    }

    /** Successes in a row, 0 after a failure. */
    public int successes() {
        return dampening.successes();
    }

    /** Failures in a row, 0 after a success. */
    public int failures() {
        return dampening.failures();
    }
}
