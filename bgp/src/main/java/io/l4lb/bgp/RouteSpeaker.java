// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.time.Duration;
import java.util.Set;

/**
 * Keeps a wanted set of routes announced to all neighbors of their address family. Level, not edge: every call says the
 * whole set, and the speaker works towards the latest one, whatever restarts in between.
 *
 * <p>All methods may be called by any thread.
 */
public interface RouteSpeaker extends AutoCloseable {
    /**
     * What shall be announced from now on. Never blocks. Until the first call nothing is announced and nothing that an
     * earlier agent announced is withdrawn.
     */
    void want(Set<Route> routes);

    /** The state now; never blocks. */
    SpeakerStatus status();

    /** Waits until {@link SpeakerStatus#settled} or the time is over; returns whether it is settled. */
    boolean awaitSettled(Duration patience) throws InterruptedException;

    /**
     * The end for good: withdraws everything, waits until that is sent (at most for the given time), ends the BGP
     * process if this speaker runs it, and closes.
     */
    void shutDown(Duration patience) throws InterruptedException;

    /** Lets go: the routes stay announced for the next agent to adopt. Blocks shortly. */
    @Override
    void close();
}
