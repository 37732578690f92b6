// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The conversation with ExaBGP over one connection after the other: hello, a listing of what ExaBGP holds, then one
 * command at a time towards the wanted routes. Pure: lines and time come in, command lines go out.
 */
final class RouteSession implements LineHandler {
    static final long ACKNOWLEDGE = Duration.ofSeconds(5).toNanos();
    /** The bridge may itself wait 5 s before its hello. */
    static final long GREET = Duration.ofSeconds(10).toNanos();

    private static final String LIST = "show adj-rib out extensive";

    private enum Phase {
        DISCONNECTED,
        GREETING,
        LISTING,
        WORKING
    }

    /** What is known of a neighbor besides its routes. */
    private static final class Session {
        final NeighborRoutes routes = new NeighborRoutes();
        NeighborStatus.State state = NeighborStatus.State.CONNECTING;
        Instant since;

        @Nullable
        String lastError;

        Session(Instant since) {
            this.since = since;
        }

        void enter(NeighborStatus.State next, Instant when) {
            if (state != next) {
                state = next;
                since = when;
            }
        }
    }

    private final Clock clock;
    private final ExaBgpLines lines = new ExaBgpLines(this);
    private final Map<InetAddress, Session> sessions = new LinkedHashMap<>();
    private Phase phase = Phase.DISCONNECTED;
    private boolean everWanted;
    private boolean gone;
    private @Nullable Hello hello;
    private long now;
    private long waitingSince;
    private boolean listing;
    private @Nullable Session asked;

    RouteSession(List<Neighbor> neighbors, Clock clock) {
        this.clock = clock;
        neighbors.forEach(neighbor -> sessions.put(neighbor.address(), new Session(clock.instant())));
    }

    void want(Set<Route> routes) {
        everWanted = true;
        sessions.forEach((address, session) -> {
            Map<Prefix, Route> ofFamily = new HashMap<>();
            for (Route route : routes) {
                if (route.prefix().isIpv6() == address instanceof Inet6Address) {
                    ofFamily.put(route.prefix(), route);
                }
            }
            session.routes.want(ofFamily);
        });
    }

    void connected(long time) {
        now = time;
        phase = Phase.GREETING;
        waitingSince = time;
        hello = null;
        listing = false;
        asked = null;
        sessions.values().forEach(session -> session.routes.forget());
    }

    void disconnected() {
        phase = Phase.DISCONNECTED;
    }

    /** ExaBGP is known not to run: no neighbor has anything. */
    void exaBgpGone() {
        gone = true;
        sessions.values().forEach(session -> {
            session.routes.forget();
            if (session.state == NeighborStatus.State.UP) {
                session.enter(NeighborStatus.State.DOWN, clock.instant());
                session.lastError = "ExaBGP ended";
            }
        });
    }

    /** ExaBGP is about to read its configuration again; it may then send everything once more. */
    void reloading(long time) {
        sessions.values().forEach(session -> session.routes.holdUntil(time + NeighborRoutes.REPLAY));
    }

    /** The hello of this connection, once it is there. */
    Optional<Hello> hello() {
        return Optional.ofNullable(hello);
    }

    void receive(long time, String line) {
        now = time;
        lines.read(line);
    }

    /** The next command line to write, without its line feed; throws BgpException if ExaBGP has stopped answering. */
    Optional<String> step(long time) {
        now = time;
        if (phase == Phase.GREETING && now - waitingSince >= GREET) {
            throw new BgpException("no hello from the bridge");
        }
        if (waiting()) {
            if (now - waitingSince >= ACKNOWLEDGE) {
                throw new BgpException("no acknowledgement from ExaBGP");
            }
            return Optional.empty();
        }
        if (phase == Phase.LISTING) {
            listing = true;
            waitingSince = now;
            return Optional.of(LIST);
        }
        if (phase == Phase.WORKING) {
            sessions.values().forEach(session -> session.routes.expire(now));
        }
        return phase == Phase.WORKING && everWanted ? nextOperation() : Optional.empty();
    }

    /** When {@link #step} wants to be called although nothing happened. */
    long deadline(long time) {
        if (phase == Phase.DISCONNECTED) {
            return NeighborRoutes.NEVER;
        }
        if (phase == Phase.GREETING) {
            return waitingSince + GREET;
        }
        if (waiting()) {
            return waitingSince + ACKNOWLEDGE;
        }
        return sessions.values().stream()
                .mapToLong(session -> session.routes.deadline(time))
                .min()
                .orElse(NeighborRoutes.NEVER);
    }

    /** Whether the statuses say what is so, and the work is directed by what was wanted last. */
    boolean current() {
        boolean known =
                phase == Phase.WORKING && sessions.values().stream().noneMatch(session -> session.routes.replaying());
        return everWanted && (known || (gone && phase == Phase.DISCONNECTED));
    }

    /** Whether the statuses are worth telling: not while too little is known of what was there before. */
    boolean presentable() {
        return phase == Phase.WORKING || (gone && phase == Phase.DISCONNECTED);
    }

    List<NeighborStatus> statuses() {
        return sessions.entrySet().stream()
                .map(entry -> {
                    Session session = entry.getValue();
                    return new NeighborStatus(
                            entry.getKey(),
                            session.state,
                            session.since,
                            session.lastError,
                            session.routes.announced(),
                            session.routes.unsettled());
                })
                .toList();
    }

    private boolean waiting() {
        return listing || asked != null;
    }

    private Optional<String> nextOperation() {
        for (Map.Entry<InetAddress, Session> entry : sessions.entrySet()) {
            Optional<Operation> operation = entry.getValue().routes.next(now);
            if (operation.isPresent()) {
                asked = entry.getValue();
                waitingSince = now;
                return operation.map(found -> found.command(entry.getKey()));
            }
        }
        return Optional.empty();
    }

    @Override
    public void hello(Hello greeting) {
        if (greeting.protocol() != Hello.PROTOCOL) {
            throw new BgpException("the bridge speaks version " + greeting.protocol() + ", not " + Hello.PROTOCOL);
        }
        hello = greeting;
        gone = false;
        phase = Phase.LISTING;
        long quiet = greeting.quietMillis() >= TimeUnit.NANOSECONDS.toMillis(NeighborRoutes.REPLAY)
                ? NeighborRoutes.REPLAY
                : TimeUnit.MILLISECONDS.toNanos(greeting.quietMillis());
        long quietFrom = now + NeighborRoutes.REPLAY - quiet;
        boolean fresh = greeting.commands() == 0;
        sessions.values().forEach(session -> session.routes.adopt(now, quietFrom, fresh));
    }

    @Override
    public void acknowledged(boolean done) {
        Session session = asked;
        if (session != null) {
            asked = null;
            session.routes.acknowledged(now, done);
            if (!done) {
                session.lastError = "ExaBGP refused a command; its log says why";
            }
        } else if (listing) {
            listing = false;
            if (!done) {
                throw new BgpException("ExaBGP does not list its routes");
            }
            phase = Phase.WORKING;
        }
    }

    /** Where something was sent there is a session, also if its "up" was lost with a bridge that died. */
    private Optional<Session> established(InetAddress neighbor) {
        Session session = sessions.get(neighbor);
        if (session != null && !session.routes.up()) {
            up(neighbor);
        }
        return Optional.ofNullable(session);
    }

    @Override
    public void up(InetAddress neighbor) {
        Session session = sessions.get(neighbor);
        if (session != null) {
            session.enter(NeighborStatus.State.UP, clock.instant());
            session.routes.wentUp(now);
        }
    }

    @Override
    public void down(InetAddress neighbor, String reason) {
        Session session = sessions.get(neighbor);
        if (session != null) {
            session.enter(NeighborStatus.State.DOWN, clock.instant());
            session.lastError = reason;
            session.routes.wentDown();
        }
    }

    @Override
    public void sent(InetAddress neighbor, Route route) {
        established(neighbor).ifPresent(session -> session.routes.sent(now, route));
    }

    @Override
    public void sentWithdraw(InetAddress neighbor, Prefix prefix) {
        established(neighbor).ifPresent(session -> session.routes.sentWithdraw(now, prefix));
    }

    @Override
    public void sentEndOfRib(InetAddress neighbor) {
        established(neighbor).ifPresent(session -> session.routes.sentEndOfRib());
    }

    @Override
    public void listed(InetAddress neighbor, Route route, String attributes) {
        Optional.ofNullable(sessions.get(neighbor)).ifPresent(session -> session.routes.listed(route, attributes));
    }
}
