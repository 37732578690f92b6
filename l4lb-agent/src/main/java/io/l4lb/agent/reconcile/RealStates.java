// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.reconcile;

import io.l4lb.agent.health.RealKey;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthState;
import java.net.InetAddress;
import java.util.Map;

/**
 * What is known of the reals.
 *
 * @param health by real and VIP
 * @param unreachable by real or VIP, why no packet can be sent to it
 * @param freeze whose flows go on whatever the probes say
 */
public record RealStates(Map<RealKey, Health> health, Map<InetAddress, String> unreachable, Freeze freeze)
        implements Belief {
    public RealStates {
        health = Map.copyOf(health);
        unreachable = Map.copyOf(unreachable);
    }

    /** Without a panic. */
    public RealStates(Map<RealKey, Health> health, Map<InetAddress, String> unreachable) {
        this(health, unreachable, Freeze.NONE);
    }

    /** Whether new flows may go to a real by a VIP: it is up, or it is held so, and packets can be sent to it. */
    @Override
    public boolean up(RealKey key) {
        Boolean held = freeze.held().get(key);
        return reachable(key) && (held == null ? probed(key).state() == HealthState.UP : held);
    }

    @Override
    public boolean down(RealKey key) {
        return state(key) == HealthState.DOWN;
    }

    @Override
    public boolean reachable(RealKey key) {
        return unreachable(key).isEmpty();
    }

    /** Down when it cannot be reached, whatever its probes say. */
    public HealthState state(RealKey key) {
        return unreachable(key).isEmpty() ? probed(key).state() : HealthState.DOWN;
    }

    /** Why it is in that state, in words. */
    public String reason(RealKey key) {
        String unreachable = unreachable(key);
        return unreachable.isEmpty() ? probed(key).reason() : unreachable;
    }

    /** What its probes say. */
    public Health probed(RealKey key) {
        Health known = health.get(key);
        if (known == null) {
            throw new IllegalStateException("no health of " + key);
        }
        return known;
    }

    /** Why the real cannot be reached, or cannot be probed; empty: it can. */
    private String unreachable(RealKey key) {
        String real = unreachable.getOrDefault(key.real(), "");
        return real.isEmpty() ? unreachable.getOrDefault(key.service().vip(), "") : real;
    }
}
