// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.IpText;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import java.util.HashMap;
import java.util.Map;

/** One line in the log for each real that goes up or down, with the reason. For one thread. */
final class HealthLog {
    private static final System.Logger LOG = System.getLogger(HealthLog.class.getName());

    private Map<RealKey, HealthState> before = new HashMap<>();

    void note(RealStates states) {
        Map<RealKey, HealthState> now = new HashMap<>();
        states.health().forEach((key, health) -> {
            HealthState state = states.unreachable(key).isEmpty() ? health.state() : HealthState.DOWN;
            now.put(key, state);
            if (state != HealthState.UNKNOWN && state != before.get(key)) {
                log(key, state, health, states.unreachable(key));
            }
        });
        before = now;
    }

    private static void log(RealKey key, HealthState state, Health health, String unreachable) {
        LOG.log(
                state == HealthState.UP ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                "real {0}, {1}: {2}, {3}",
                IpText.of(key.real()),
                key.service(),
                state == HealthState.UP ? "up" : "down",
                unreachable.isEmpty() ? health.reason() : unreachable);
    }
}
