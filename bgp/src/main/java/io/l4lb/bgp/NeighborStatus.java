// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One session.
 *
 * @param since when the state was entered, or first seen
 * @param lastError why the session was last down or an announcement failed; null: never
 * @param announced what was sent to the neighbor in this session and not withdrawn; empty while it is not up
 * @param unsettled prefixes for which something is still to be done: while up, what was sent is not what is wanted;
 *     while not up, a route that is no longer wanted would be sent once it is up
 */
public record NeighborStatus(
        InetAddress address,
        State state,
        Instant since,
        @Nullable String lastError,
        Set<Prefix> announced,
        Set<Prefix> unsettled) {
    /** CONNECTING: there has not been a session yet, or the BGP process does not answer and nobody knows. */
    public enum State {
        CONNECTING,
        UP,
        DOWN
    }

    public NeighborStatus {
        announced = Set.copyOf(announced);
        unsettled = Set.copyOf(unsettled);
    }
}
