// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** A probe of the schedule, with all who want its verdicts. For the health thread. */
final class SharedProbe {
    /** Targets that agree in this share a probe: what is asked, and how often. */
    record Key(Probe probe, Duration interval, Duration downInterval) {
        static Key of(ProbeTarget target) {
            return new Key(
                    target.probe(), target.timing().interval(), target.timing().downInterval());
        }
    }

    final Key key;
    /** Tells those apart that are due at the same time. */
    final long number;

    final Map<String, Watcher> watchers = new LinkedHashMap<>();
    /** When it is to be started next; of the schedule. */
    long due;
    /** When it was started last. */
    long started;
    /** Started, and without a verdict. */
    boolean inFlight;

    SharedProbe(Key key, long number) {
        this.key = key;
        this.number = number;
    }

    /** As its watchers want it: the shortest of what they ask for in their states. */
    Duration interval() {
        boolean anyDown = false;
        boolean anyOther = false;
        for (Watcher watcher : watchers.values()) {
            boolean down = watcher.health().state() == HealthState.DOWN;
            anyDown |= down;
            anyOther |= !down;
        }
        if (anyDown && anyOther) {
            return key.interval.compareTo(key.downInterval) < 0 ? key.interval : key.downInterval;
        }
        return anyDown ? key.downInterval : key.interval;
    }
}
