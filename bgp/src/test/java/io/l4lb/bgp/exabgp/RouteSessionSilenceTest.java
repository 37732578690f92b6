// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An ExaBGP that hangs while its bridge lives, with injected time. */
class RouteSessionSilenceTest {
    private static final Neighbor NEIGHBOR = new Neighbor(IpLiteral.parse("10.91.1.1"), 65000, null);
    private static final Route ROUTE = Route.of(Prefix.parse("198.51.100.10/32"));
    private static final Route OTHER = Route.of(Prefix.parse("198.51.100.11/32"));
    private static final String HELLO =
            "{\"type\": \"bridge\", \"protocol\": 1, \"epoch\": \"7-7\", \"commands\": 3, \"quiet\": 9000}";

    private final FakeExaBgp exabgp = new FakeExaBgp(List.of(NEIGHBOR));
    private final FakePeer peer = exabgp.peer(NEIGHBOR.address());
    private final RouteSession session =
            new RouteSession(List.of(NEIGHBOR), Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
    private final List<String> given = new ArrayList<>();
    private long now = TimeUnit.DAYS.toNanos(-1); // a clock of this kind may start anywhere

    @BeforeEach
    void announce() {
        connect();
        peer.goUp();
        session.want(Set.of(ROUTE));
        for (int i = 0; i < 50; i++) {
            pass();
        }
        assertEquals(Map.of(ROUTE.prefix(), "next-hop self"), peer.router);
        assertEquals(NeighborStatus.State.UP, status().state());
        assertTrue(session.current());
        given.clear();
    }

    private void connect() {
        session.connected(now);
        exabgp.accept(now);
    }

    private void pass() {
        now += TimeUnit.MILLISECONDS.toNanos(100);
        exabgp.turn(now, 10, 10);
        while (!exabgp.toAgent.isEmpty()) {
            session.receive(now, exabgp.toAgent.remove());
        }
        step().ifPresent(exabgp::give);
    }

    private Optional<String> step() {
        Optional<String> command = session.step(now);
        command.ifPresent(given::add);
        return command;
    }

    private NeighborStatus status() {
        return session.statuses().get(0);
    }

    @Test
    void anIdleExaBgpIsAskedNowAndThenAndNothingElseHappens() {
        int seconds = 60;
        for (int i = 0; i < 10 * seconds; i++) {
            pass();
            assertTrue(session.deadline(now) <= now + RouteSession.IDLE);
            assertTrue(session.current());
        }
        assertEquals(Set.of("version"), Set.copyOf(given));
        assertTrue(given.size() >= seconds / 10 && given.size() <= seconds / 5, given.toString());
        assertEquals(Map.of(ROUTE.prefix(), "next-hop self"), peer.router);
    }

    @Test
    void whileTheHeartbeatIsNotAcknowledgedNothingElseIsGiven() {
        now = session.deadline(now);
        assertEquals(Optional.of("version"), step());
        session.want(Set.of(ROUTE, OTHER));
        assertEquals(Optional.empty(), step());
        session.receive(now, "exabgp 4.2.21");
        assertEquals(Optional.empty(), step());
        session.receive(now, "done");
        assertEquals(Optional.of("neighbor 10.91.1.1 announce route 198.51.100.11/32 next-hop self"), step());
    }

    @Test
    void aGreetingBridgeDoesNotEndTheSilence() {
        hang();
        for (int i = 0; i < 3; i++) {
            session.disconnected();
            session.connected(now);
            session.receive(
                    now,
                    "{ \"type\": \"state\", \"neighbor\": { \"address\": { \"peer\": \"10.91.1.1\" },"
                            + " \"state\": \"up\" } }");
            session.receive(now, HELLO);
            assertEquals(Optional.of("show adj-rib out extensive"), step());
            assertUnknown();
            now = session.deadline(now);
            assertThrows(BgpException.class, this::step);
            assertUnknown();
        }
        session.disconnected();
        connect();
        pass();
        pass();
        assertFalse(session.silent());
        assertEquals(NeighborStatus.State.UP, status().state());
        assertEquals(Set.of(ROUTE.prefix()), status().announced());
    }

    @Test
    void aBridgeThatDoesNotGreetIsSilenceToo() {
        session.connected(now);
        now = session.deadline(now);
        assertThrows(BgpException.class, this::step);
        assertUnknown();
    }

    @Test
    void aLateWordEndsTheSilence() {
        hang();
        session.receive(now, "done");
        assertFalse(session.silent());
        assertEquals(NeighborStatus.State.UP, status().state());
        assertTrue(session.current());
    }

    @Test
    void oneThatTalksButDoesNotAcknowledgeIsNotSilent() {
        session.want(Set.of(ROUTE, OTHER));
        assertTrue(step().isPresent());
        for (int i = 0; i < 3; i++) {
            now += RouteSession.ACKNOWLEDGE - 1;
            session.receive(now, "something");
            assertEquals(Optional.empty(), step());
        }
        now = session.deadline(now);
        assertThrows(BgpException.class, this::step);
        assertFalse(session.silent());
    }

    @Test
    void whatTheBridgeDoesNotCallUpIsNotUp() {
        session.disconnected();
        session.connected(now);
        session.receive(now, HELLO);
        assertEquals(NeighborStatus.State.DOWN, status().state());
        assertEquals(Set.of(), status().announced());
    }

    private void hang() {
        now = session.deadline(now);
        assertEquals(Optional.of("version"), step());
        now = session.deadline(now);
        assertThrows(BgpException.class, this::step);
        assertUnknown();
    }

    private void assertUnknown() {
        assertTrue(session.silent());
        assertTrue(session.presentable());
        assertFalse(session.current());
        assertEquals(NeighborStatus.State.CONNECTING, status().state());
        assertEquals("exabgp does not answer", status().lastError());
        assertEquals(Set.of(), status().announced());
    }
}
