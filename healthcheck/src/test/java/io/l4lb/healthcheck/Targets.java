// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import io.l4lb.healthcheck.check.Check;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/** Probe targets for tests, and verdicts on them. */
public final class Targets {
    private Targets() {}

    /** With a timeout of a second. */
    public static ProbeTarget target(String id, InetSocketAddress destination, int mark, Check check, Timing timing) {
        return new ProbeTarget(id, probe(destination, mark, check, Duration.ofSeconds(1)), timing);
    }

    public static Probe probe(InetSocketAddress destination, int mark, Check check, Duration timeout) {
        return new Probe(destination, new Route(destination.getAddress(), mark, 0), check, timeout);
    }

    /** New ones start in this state. */
    public static Function<ProbeTarget, Health> in(HealthState state) {
        return target -> Health.start(target.timing(), state, Instant.EPOCH);
    }

    public static Verdict verdict(boolean success, String reason) {
        Duration latency = Duration.ofMillis(5);
        return success ? Verdict.success(reason, latency) : Verdict.failure(reason, latency);
    }
}
