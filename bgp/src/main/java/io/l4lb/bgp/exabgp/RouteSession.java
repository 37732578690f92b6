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
 *
 * <p>An ExaBGP that has nothing to say is asked something harmless from time to time: only what it says itself shows that
 * it lives, and not that the bridge greets.
 */
final class RouteSession implements LineHandler {
    /** After so long without a word from ExaBGP it is asked whether it lives. */
    static final long IDLE = Duration.ofSeconds(5).toNanos();
    /** How long ExaBGP may say nothing at all while it owes an acknowledgement. */
    static final long ACKNOWLEDGE = Duration.ofSeconds(5).toNanos();
    /** How long it may owe one although it says other things. */
    static final long LOST = Duration.ofSeconds(15).toNanos();
    /** The bridge itself waits for ExaBGP before its hello. */
    static final long GREET = Duration.ofSeconds(10).toNanos();

    static final String SILENT = "exabgp does not answer";

    private static final String LIST = "show adj-rib out extensive";
    /** Answered with a line and an acknowledgement, and changes nothing. */
    private static final String HEARTBEAT = "version";

    private enum Phase {
        DISCONNECTED,
        GREETING,
        LISTING,
        WORKING
    }

    private final Clock clock;
    private final ExaBgpLines lines = new ExaBgpLines(this);
    private final Map<InetAddress, NeighborSession> sessions = new LinkedHashMap<>();
    private Phase phase = Phase.DISCONNECTED;
    private boolean everWanted;
    private boolean gone;
    private @Nullable Hello hello;
    private long now;
    private long waitingSince;
    private long heardAt;
    private @Nullable Instant silentSince;
    private boolean listing;
    private boolean heartbeat;
    private @Nullable NeighborSession asked;

    RouteSession(List<Neighbor> neighbors, Clock clock) {
        this.clock = clock;
        neighbors.forEach(
                neighbor -> sessions.put(neighbor.address(), new NeighborSession(neighbor.address(), clock.instant())));
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
        heardAt = time;
        hello = null;
        listing = false;
        heartbeat = false;
        asked = null;
        sessions.values().forEach(session -> session.routes.forget());
    }

    void disconnected() {
        phase = Phase.DISCONNECTED;
    }

    /** ExaBGP is known not to run: no neighbor has anything. */
    void exaBgpGone() {
        gone = true;
        silentSince = null;
        sessions.values().forEach(session -> {
            session.routes.forget();
            session.lost("ExaBGP ended", clock.instant());
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
        if (phase != Phase.GREETING) { // before its hello the bridge repeats what it knows
            heardAt = now;
            silentSince = null;
        }
        lines.read(line);
    }

    /** Whether ExaBGP owed an answer for too long, and has not said anything since. */
    boolean silent() {
        return silentSince != null;
    }

    /** The next command line to write, without its line feed; throws BgpException if ExaBGP has stopped answering. */
    Optional<String> step(long time) {
        now = time;
        if (phase == Phase.GREETING && now - waitingSince >= GREET) {
            fallSilent();
            throw new BgpException("no hello from the bridge");
        }
        if (waiting()) {
            checkPatience();
            return Optional.empty();
        }
        if (phase == Phase.LISTING) {
            listing = true;
            waitingSince = now;
            return Optional.of(LIST);
        }
        if (phase != Phase.WORKING) {
            return Optional.empty();
        }
        sessions.values().forEach(session -> session.routes.expire(now));
        return (everWanted ? nextOperation() : Optional.<String>empty()).or(this::heartbeat);
    }

    private void checkPatience() {
        if (now - Math.max(waitingSince, heardAt) >= ACKNOWLEDGE) {
            fallSilent();
            throw new BgpException(SILENT);
        }
        if (now - waitingSince >= LOST) {
            throw new BgpException("no acknowledgement from ExaBGP");
        }
    }

    private void fallSilent() {
        if (silentSince == null) {
            silentSince = clock.instant();
        }
    }

    private Optional<String> heartbeat() {
        if (now - heardAt < IDLE) {
            return Optional.empty();
        }
        heartbeat = true;
        waitingSince = now;
        return Optional.of(HEARTBEAT);
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
            return Math.min(Math.max(waitingSince, heardAt) + ACKNOWLEDGE, waitingSince + LOST);
        }
        return sessions.values().stream()
                .mapToLong(session -> session.routes.deadline(time))
                .reduce(heardAt + IDLE, Math::min);
    }

    /** Whether the statuses say what is so, and the work is directed by what was wanted last. */
    boolean current() {
        boolean known =
                phase == Phase.WORKING && sessions.values().stream().noneMatch(session -> session.routes.replaying());
        return everWanted && silentSince == null && (known || (gone && phase == Phase.DISCONNECTED));
    }

    /** Whether the statuses are worth telling: not while too little is known of what was there before. */
    boolean presentable() {
        return silentSince != null || phase == Phase.WORKING || (gone && phase == Phase.DISCONNECTED);
    }

    List<NeighborStatus> statuses() {
        Instant from = silentSince;
        return sessions.values().stream()
                .map(session -> from == null ? session.status() : session.unknown(SILENT, from))
                .toList();
    }

    private boolean waiting() {
        return listing || heartbeat || asked != null;
    }

    private Optional<String> nextOperation() {
        for (NeighborSession session : sessions.values()) {
            Optional<Operation> operation = session.routes.next(now);
            if (operation.isPresent()) {
                asked = session;
                waitingSince = now;
                return operation.map(found -> found.command(session.address()));
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
        sessions.values().forEach(session -> {
            if (!session.routes.up()) {
                session.lost("its end was not seen", clock.instant());
            }
            session.routes.adopt(now, quietFrom, fresh);
        });
    }

    @Override
    public void acknowledged(boolean done) {
        NeighborSession session = asked;
        if (session != null) {
            asked = null;
            session.routes.acknowledged(now, done);
            if (!done) {
                session.failed("ExaBGP refused a command; its log says why");
            }
        } else if (listing) {
            listing = false;
            if (!done) {
                throw new BgpException("ExaBGP does not list its routes");
            }
            phase = Phase.WORKING;
        } else {
            heartbeat = false;
        }
    }

    /** Where something was sent there is a session, also if its "up" was lost with a bridge that died. */
    private Optional<NeighborSession> established(InetAddress neighbor) {
        NeighborSession session = sessions.get(neighbor);
        if (session != null && !session.routes.up()) {
            up(neighbor);
        }
        return Optional.ofNullable(session);
    }

    @Override
    public void up(InetAddress neighbor) {
        NeighborSession session = sessions.get(neighbor);
        if (session != null) {
            session.wentUp(now, clock.instant());
        }
    }

    @Override
    public void down(InetAddress neighbor, String reason) {
        NeighborSession session = sessions.get(neighbor);
        if (session != null) {
            session.wentDown(reason, clock.instant());
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
