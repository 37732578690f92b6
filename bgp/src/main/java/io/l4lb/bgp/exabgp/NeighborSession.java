// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.NeighborStatus;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One neighbor: its routes, and the state of its session as ExaBGP told it last. */
final class NeighborSession {
    final NeighborRoutes routes = new NeighborRoutes();
    private final InetAddress address;
    private NeighborStatus.State state = NeighborStatus.State.CONNECTING;
    private Instant since;
    private @Nullable String lastError;

    NeighborSession(InetAddress address, Instant since) {
        this.address = address;
        this.since = since;
    }

    InetAddress address() {
        return address;
    }

    void wentUp(long now, Instant when) {
        enter(NeighborStatus.State.UP, when);
        routes.wentUp(now);
    }

    void wentDown(String reason, Instant when) {
        enter(NeighborStatus.State.DOWN, when);
        lastError = reason;
        routes.wentDown();
    }

    /** What was up is so no more, as far as anybody knows. */
    void lost(String reason, Instant when) {
        if (state == NeighborStatus.State.UP) {
            enter(NeighborStatus.State.DOWN, when);
            lastError = reason;
        }
    }

    void failed(String reason) {
        lastError = reason;
    }

    NeighborStatus status() {
        return new NeighborStatus(address, state, since, lastError, routes.announced(), routes.unsettled());
    }

    /** What can be said while ExaBGP does not answer: hardly anything. */
    NeighborStatus unknown(String reason, Instant from) {
        return new NeighborStatus(address, NeighborStatus.State.CONNECTING, from, reason, Set.of(), routes.unsettled());
    }

    private void enter(NeighborStatus.State next, Instant when) {
        if (state != next) {
            state = next;
            since = when;
        }
    }
}
