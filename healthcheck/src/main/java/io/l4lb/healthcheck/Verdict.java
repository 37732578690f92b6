// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import io.l4lb.healthcheck.load.LoadReading;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How one probe ended.
 *
 * @param reason in an operator's words: {@code HTTP 503}, {@code connection refused}, {@code no answer within 1s …}
 * @param latency from the start of the probe to its end
 * @param notes what else the answer told
 */
public record Verdict(Outcome outcome, String reason, Duration latency, Notes notes) {
    /** What a verdict says of the real. */
    public enum Outcome {
        SUCCESS,
        FAILURE,
        /** Nothing: the probe failed here, for want of a descriptor, a port or a permission. It must not count against the real. */
        INCONCLUSIVE
    }

    /**
     * Beside success or failure.
     *
     * @param warning such as that a certificate expires soon; empty: none
     * @param load of the answer, if the check says where it is
     */
    public record Notes(String warning, Optional<LoadReading> load) {
        public static final Notes NONE = new Notes("", Optional.empty());

        public Notes {
            Objects.requireNonNull(load, "load");
        }

        public Notes withWarning(String words) {
            return new Notes(words, load);
        }

        public Notes withLoad(LoadReading reading) {
            return new Notes(warning, Optional.of(reading));
        }
    }

    public Verdict {
        Objects.requireNonNull(outcome, "outcome");
        Objects.requireNonNull(latency, "latency");
        Objects.requireNonNull(notes, "notes");
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a verdict needs a reason");
        }
    }

    public static Verdict success(String reason, Duration latency) {
        return new Verdict(Outcome.SUCCESS, reason, latency, Notes.NONE);
    }

    public static Verdict failure(String reason, Duration latency) {
        return new Verdict(Outcome.FAILURE, reason, latency, Notes.NONE);
    }

    public static Verdict inconclusive(String reason, Duration latency) {
        return new Verdict(Outcome.INCONCLUSIVE, reason, latency, Notes.NONE);
    }

    public boolean success() {
        return outcome == Outcome.SUCCESS;
    }
}
