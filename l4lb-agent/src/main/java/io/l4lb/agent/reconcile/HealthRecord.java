// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.ProbeTarget;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What an agent leaves to its successor: the health of every real, and who is frozen.
 *
 * @param reals by probe
 */
public record HealthRecord(Map<String, Known> reals, Freeze.Saved freeze) {
    public static final HealthRecord NONE = new HealthRecord(Map.of(), Freeze.Saved.NONE);

    public HealthRecord {
        reals = Map.copyOf(reals);
    }

    /**
     * What was known of a real.
     *
     * @param since by the time of day
     * @param flaps in a row
     */
    public record Known(HealthState state, Instant since, int flaps, String reason) {
        public Known {
            Objects.requireNonNull(state, "state");
            Objects.requireNonNull(since, "since");
            Objects.requireNonNull(reason, "reason");
            if (flaps < 0) {
                throw new IllegalArgumentException("flaps are counted from 0: " + flaps);
            }
        }

        /** The same, as far as it matters to a successor. */
        boolean like(Known other) {
            return state == other.state && since.equals(other.since) && flaps == other.flaps;
        }

        static Known of(Health health) {
            return new Known(health.state(), health.since(), health.dampening().flaps(), health.reason());
        }
    }

    /** What a pass has left. */
    public static HealthRecord of(Outcome outcome) {
        Map<String, Known> reals = new HashMap<>();
        outcome.reals().health().forEach((key, health) -> {
            if (health.state() != HealthState.UNKNOWN || health.dampening().flaps() > 0) {
                reals.put(key.probeId(), Known.of(health));
            }
        });
        return new HealthRecord(reals, outcome.reals().freeze().saved());
    }

    /** Whether nothing differs but words. */
    public boolean like(HealthRecord other) {
        return freeze.equals(other.freeze)
                && reals.keySet().equals(other.reals.keySet())
                && reals.entrySet().stream().allMatch(entry -> entry.getValue()
                        .like(Objects.requireNonNull(other.reals.get(entry.getKey()))));
    }

    /**
     * With which health a target starts. The kernel knows who was served: one who was not is not taken for up. One who was down
     * stays so until its probes say otherwise.
     *
     * @param served whether the kernel sends flows to the real, for a service that was adopted
     * @param now by the time of day
     */
    Health initial(ProbeTarget target, boolean served, Instant now) {
        Known known = reals.get(target.id());
        if (known == null) {
            return Health.start(target.timing(), served ? HealthState.UP : HealthState.UNKNOWN, now);
        }
        // The time of day may have been set back since: a hold must end all the same.
        Instant since = known.since().isAfter(now) ? now : known.since();
        if (known.state() == HealthState.DOWN || (known.state() == HealthState.UP && served)) {
            return Health.restored(target.timing(), known.state(), since, known.flaps(), known.reason());
        }
        if (served) {
            return Health.start(target.timing(), HealthState.UP, now);
        }
        return Health.restored(target.timing(), HealthState.UNKNOWN, now, known.flaps(), "not probed yet");
    }
}
