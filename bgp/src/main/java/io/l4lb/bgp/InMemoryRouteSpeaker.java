// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A speaker without routers, for tests of what uses one: neighbors are up at once and are sent at once whatever is
 * wanted, unless the test takes them down or holds the speaker still.
 */
public final class InMemoryRouteSpeaker implements RouteSpeaker {
    private final Clock clock;
    private final Runnable onChange;
    private final Map<InetAddress, Instant> upSince = new LinkedHashMap<>();
    private final Map<InetAddress, Instant> downSince = new LinkedHashMap<>();
    private final List<InetAddress> neighbors;
    private Set<Route> wanted = Set.of();
    private Set<Route> sent = Set.of();
    private boolean everWanted;
    private boolean held;
    private boolean closed;

    public InMemoryRouteSpeaker(List<InetAddress> neighbors, Clock clock, Runnable onChange) {
        this.neighbors = List.copyOf(neighbors);
        this.clock = clock;
        this.onChange = onChange;
        this.neighbors.forEach(neighbor -> upSince.put(neighbor, clock.instant()));
    }

    @Override
    public void want(Set<Route> routes) {
        synchronized (this) {
            wanted = Set.copyOf(routes);
            everWanted = true;
        }
        settle();
    }

    /** While held still, what is wanted is remembered and not sent. */
    public void holdStill(boolean still) {
        synchronized (this) {
            held = still;
        }
        settle();
    }

    public void up(InetAddress neighbor) {
        synchronized (this) {
            downSince.remove(neighbor);
            upSince.put(neighbor, clock.instant());
        }
        onChange.run();
    }

    public void down(InetAddress neighbor) {
        synchronized (this) {
            upSince.remove(neighbor);
            downSince.put(neighbor, clock.instant());
        }
        onChange.run();
    }

    /** What all neighbors that are up have been sent. */
    public synchronized Set<Route> sent() {
        return sent;
    }

    public synchronized boolean closed() {
        return closed;
    }

    @Override
    public synchronized SpeakerStatus status() {
        List<NeighborStatus> statuses = new ArrayList<>();
        for (InetAddress neighbor : neighbors) {
            statuses.add(status(neighbor));
        }
        ProcessStatus process = new ProcessStatus(
                closed ? ProcessStatus.State.STOPPED : ProcessStatus.State.CONNECTED, closed ? 0 : 1, 1, null);
        return new SpeakerStatus(statuses, process, everWanted && !held);
    }

    @Override
    public boolean awaitSettled(Duration patience) {
        return status().settled();
    }

    @Override
    public void shutDown(Duration patience) {
        want(Set.of());
        close();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private void settle() {
        synchronized (this) {
            if (!held && everWanted && !closed) {
                sent = wanted;
            }
        }
        onChange.run();
    }

    private NeighborStatus status(InetAddress neighbor) {
        Instant up = upSince.get(neighbor);
        if (up == null) {
            Instant down = downSince.getOrDefault(neighbor, clock.instant());
            return new NeighborStatus(neighbor, NeighborStatus.State.DOWN, down, "taken down", Set.of(), Set.of());
        }
        Set<Route> unsettled = new HashSet<>(wanted);
        unsettled.removeAll(sent);
        return new NeighborStatus(
                neighbor, NeighborStatus.State.UP, up, null, prefixes(sent, neighbor), prefixes(unsettled, neighbor));
    }

    private static Set<Prefix> prefixes(Set<Route> routes, InetAddress neighbor) {
        return routes.stream()
                .map(Route::prefix)
                .filter(prefix -> prefix.address().getClass() == neighbor.getClass())
                .collect(Collectors.toSet());
    }
}
