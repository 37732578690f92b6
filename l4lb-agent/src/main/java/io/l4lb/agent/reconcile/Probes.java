// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.ProbeTarget;
import java.util.Collection;
import java.util.function.Function;

/** What the reconciler needs of the health monitor. */
public interface Probes {
    /** Probes these from now on; {@code initial} says with which health a new one starts. Does not block. */
    void setTargets(Collection<ProbeTarget> targets, Function<ProbeTarget, Health> initial);

    /** The latest state of all. */
    HealthSnapshot snapshot();
}
