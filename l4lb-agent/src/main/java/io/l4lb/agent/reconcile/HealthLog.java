// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.IpText;
import io.l4lb.healthcheck.HealthState;
import java.util.HashMap;
import java.util.Map;

/** One line in the log for each real that goes up or down, with the reason. For one thread. */
final class HealthLog {
    private static final System.Logger LOG = System.getLogger(HealthLog.class.getName());

    private Map<RealKey, HealthState> before = new HashMap<>();

    void note(RealStates states) {
        Map<RealKey, HealthState> now = new HashMap<>();
        for (RealKey key : states.health().keySet()) {
            HealthState state = states.state(key);
            now.put(key, state);
            if (state != HealthState.UNKNOWN && state != before.get(key)) {
                log(key, state == HealthState.UP, states.reason(key));
            }
        }
        before = now;
    }

    private static void log(RealKey key, boolean up, String reason) {
        LOG.log(
                up ? System.Logger.Level.INFO : System.Logger.Level.WARNING,
                "real {0}, {1}: {2}, {3}",
                IpText.of(key.real()),
                key.service(),
                up ? "up" : "down",
                reason);
    }
}
