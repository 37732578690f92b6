// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

/** A target and what is known of it. The health thread writes it, any thread reads it. */
final class Watcher {
    private volatile ProbeTarget target;
    private volatile Health health;

    Watcher(ProbeTarget target, Health health) {
        this.target = target;
        this.health = health;
    }

    ProbeTarget target() {
        return target;
    }

    Health health() {
        return health;
    }

    void become(ProbeTarget changed) {
        target = changed;
        health = health.with(changed.timing());
    }

    void hear(Health next) {
        health = next;
    }
}
