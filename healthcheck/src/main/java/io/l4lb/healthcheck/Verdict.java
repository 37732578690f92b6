// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.Objects;

/**
 * How one probe ended.
 *
 * @param reason in an operator's words: {@code HTTP 503}, {@code connection refused}, {@code no answer within 1s …}
 * @param latency from the start of the probe to its end
 */
public record Verdict(boolean success, String reason, Duration latency) {
    public Verdict {
        Objects.requireNonNull(latency, "latency");
        if (reason.isBlank()) {
            throw new IllegalArgumentException("a verdict needs a reason");
        }
    }

    public static Verdict success(String reason, Duration latency) {
        return new Verdict(true, reason, latency);
    }

    public static Verdict failure(String reason, Duration latency) {
        return new Verdict(false, reason, latency);
    }
}
