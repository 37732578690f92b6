// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one neighbor has been told, and which operation ExaBGP may be given for it next. Pure: time comes in as
 * nanoseconds of a clock that never goes back.
 *
 * <p>ExaBGP 4.2.21 keeps a cache of what is announced (here: held) and a queue of changes that it sends grouped by
 * attributes and not in the order of arrival (rib/outgoing.py). Two changes of one prefix in the queue at the same time
 * may therefore leave the neighbor with the older one. Hence:
 *
 * <ul>
 *   <li>An announcement equal to the held one is never given: ExaBGP drops it without an event.
 *   <li>While the session is up, a prefix gets its next operation only after the UPDATE event of the one before, or when
 *       that has not come for {@link #CONFIRM}.
 *   <li>While it is down, a prefix gets at most one operation: the queue is emptied only when a connection ends.
 *   <li>From "up" to the end-of-RIB event nothing is given: the queue then holds the whole cache, and withdrawals are
 *       swallowed. Without that event it ends {@link #REPLAY} after the last UPDATE.
 * </ul>
 */
final class NeighborRoutes {
    static final long CONFIRM = Duration.ofSeconds(1).toNanos();
    static final long REPLAY = Duration.ofSeconds(2).toNanos();
    static final long RETRY = Duration.ofSeconds(1).toNanos();
    static final long NEVER = Long.MAX_VALUE;

    /** An operation whose UPDATE has not been seen. */
    private record Unconfirmed(Operation operation, long since) {}

    private Map<Prefix, Route> wanted = Map.of();
    private final Map<Prefix, String> held = new HashMap<>();
    private final Map<Prefix, Route> announced = new HashMap<>();
    private final Map<Prefix, Unconfirmed> unconfirmed = new HashMap<>();
    private final Set<Prefix> queued = new HashSet<>();
    private final Set<Prefix> toWithdraw = new LinkedHashSet<>();
    private final Set<Prefix> toAnnounce = new LinkedHashSet<>();
    private boolean queueUnknown;
    private boolean up;
    private boolean replaying;
    private long replayEnd;
    private long retryAt = Long.MIN_VALUE;
    private @Nullable Operation inFlight;
    private boolean givenInSession;
    private boolean adopting;

    boolean up() {
        return up;
    }

    /** Whether it is not certain yet what the neighbor has. */
    boolean replaying() {
        return up && replaying;
    }

    Set<Prefix> announced() {
        return up ? announced.keySet() : Set.of();
    }

    Set<Prefix> unsettled() {
        Set<Prefix> unsettled = new HashSet<>(toWithdraw);
        Optional.ofNullable(inFlight).map(Operation::prefix).ifPresent(unsettled::add);
        if (up) {
            unsettled.addAll(toAnnounce);
            wanted.forEach((prefix, route) -> {
                if (!route.equals(announced.get(prefix))) {
                    unsettled.add(prefix);
                }
            });
        }
        return unsettled;
    }

    void want(Map<Prefix, Route> routes) {
        Set<Prefix> concerned = new HashSet<>(wanted.keySet());
        concerned.addAll(routes.keySet());
        wanted = Map.copyOf(routes);
        concerned.addAll(held.keySet());
        concerned.addAll(announced.keySet());
        concerned.forEach(this::examine);
    }

    /** ExaBGP, or the connection to it, is another one: nothing is known but what is wanted. */
    void forget() {
        up = false;
        adopting = false;
        replaying = false;
        inFlight = null;
        queueUnknown = false;
        retryAt = Long.MIN_VALUE;
        held.clear();
        clearSession();
        examineAll();
    }

    void wentUp(long now) {
        up = true;
        adopting = false;
        replaying = true;
        replayEnd = now + REPLAY;
        unconfirmed.clear();
        announced.clear();
        examineAll();
    }

    /** The session ended, or an attempt to connect: ExaBGP has emptied its queue. */
    void wentDown() {
        up = false;
        adopting = false;
        replaying = false;
        queueUnknown = false;
        clearSession();
        examineAll();
    }

    /**
     * The session is the one that an earlier agent left; what ExaBGP holds will be listed.
     *
     * @param quietFrom from when on no change that the earlier agent asked for can still be in the queue
     * @param fresh ExaBGP has not been given any command before
     */
    void adopt(long now, long quietFrom, boolean fresh) {
        adopting = up;
        queueUnknown = !fresh;
        replaying = up && quietFrom > now;
        replayEnd = quietFrom;
    }

    /** One route that ExaBGP holds. In a session that was up before, it has been sent. */
    void listed(Route route, String attributes) {
        held.put(route.prefix(), attributes);
        if (adopting) {
            announced.put(route.prefix(), route);
        }
        examine(route.prefix());
    }

    /** ExaBGP may send all that it holds once more; until then nothing is given. */
    void holdUntil(long end) {
        if (up) {
            replaying = true;
            replayEnd = end;
        }
    }

    /** Lets time pass. */
    void expire(long now) {
        if (replaying && now >= replayEnd) {
            endReplay();
        }
    }

    void sent(long now, Route route) {
        announced.put(route.prefix(), route);
        confirm(now, Operation.announce(route));
    }

    void sentWithdraw(long now, Prefix prefix) {
        announced.remove(prefix);
        confirm(now, Operation.withdraw(prefix));
    }

    void sentEndOfRib() {
        endReplay();
    }

    /** The operation to give now; it must be given, and its acknowledgement reported. */
    Optional<Operation> next(long now) {
        expire(now);
        if (replaying || now < retryAt) {
            return Optional.empty();
        }
        Optional<Operation> next = toWithdraw.stream()
                .filter(prefix -> free(prefix, now))
                .findFirst()
                .map(Operation::withdraw)
                .or(() -> toAnnounce.stream()
                        .filter(prefix -> free(prefix, now))
                        .findFirst()
                        .map(prefix -> Operation.announce(Objects.requireNonNull(wanted.get(prefix)))));
        next.ifPresent(operation -> give(operation, now));
        return next;
    }

    void acknowledged(long now, boolean done) {
        Operation operation = Objects.requireNonNull(inFlight);
        inFlight = null;
        Prefix prefix = operation.prefix();
        if (!done) {
            unconfirmed.remove(prefix);
            retryAt = now + RETRY;
            return;
        }
        Route route = operation.route();
        if (route == null) {
            held.remove(prefix);
        } else {
            held.put(prefix, Operation.attributes(route));
        }
        if (!up || !givenInSession || replaying) {
            queued.add(prefix);
        }
        examine(prefix);
    }

    /** When {@link #next} may have something new although nothing happened; {@link #NEVER} if never. */
    long deadline(long now) {
        if (replaying) {
            return replayEnd;
        }
        if (now < retryAt) {
            return toWithdraw.isEmpty() && toAnnounce.isEmpty() ? NEVER : retryAt;
        }
        long deadline = NEVER;
        for (Map.Entry<Prefix, Unconfirmed> entry : unconfirmed.entrySet()) {
            long end = entry.getValue().since() + CONFIRM;
            if (end > now && (toWithdraw.contains(entry.getKey()) || toAnnounce.contains(entry.getKey()))) {
                deadline = Math.min(deadline, end);
            }
        }
        return deadline;
    }

    private void give(Operation operation, long now) {
        inFlight = operation;
        givenInSession = up;
        if (up) {
            unconfirmed.put(operation.prefix(), new Unconfirmed(operation, now));
        }
    }

    private boolean free(Prefix prefix, long now) {
        if (!up) {
            return !queueUnknown && !queued.contains(prefix);
        }
        Unconfirmed waiting = unconfirmed.get(prefix);
        return waiting == null || now - waiting.since() >= CONFIRM;
    }

    private void confirm(long now, Operation operation) {
        Unconfirmed waiting = unconfirmed.get(operation.prefix());
        if (waiting != null && waiting.operation().equals(operation)) {
            unconfirmed.remove(operation.prefix());
        }
        if (replaying) {
            replayEnd = now + REPLAY;
        }
        examine(operation.prefix());
    }

    private void endReplay() {
        replaying = false;
        queueUnknown = false;
        queued.clear();
        examineAll();
    }

    private void clearSession() {
        announced.clear();
        unconfirmed.clear();
        queued.clear();
    }

    private void examineAll() {
        toWithdraw.clear();
        toAnnounce.clear();
        want(wanted);
    }

    private void examine(Prefix prefix) {
        toWithdraw.remove(prefix);
        toAnnounce.remove(prefix);
        Route route = wanted.get(prefix);
        Route last = announced.get(prefix);
        if (route == null) {
            // The first withdrawal of a session may be swallowed; given again, it is sent.
            if (held.containsKey(prefix) || last != null || unconfirmed.containsKey(prefix)) {
                toWithdraw.add(prefix);
            }
        } else if (!Operation.attributes(route).equals(held.get(prefix))) {
            toAnnounce.add(prefix);
        } else if (last != null && !last.equals(route) && !unconfirmed.containsKey(prefix)) {
            // The UPDATEs left in the wrong order after all. Only a withdrawal makes ExaBGP send what it holds again.
            toWithdraw.add(prefix);
        }
    }
}
