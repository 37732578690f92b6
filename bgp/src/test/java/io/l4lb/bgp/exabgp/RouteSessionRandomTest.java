// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.ProcessStatus;
import io.l4lb.bgp.Route;
import io.l4lb.bgp.SpeakerStatus;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random wishes, session bounces, outages and agent restarts against an ExaBGP that sends its queue out of order. */
class RouteSessionRandomTest {
    private static final long MILLISECOND = 1_000_000;
    private static final int PREFIXES = 8;
    private static final List<Neighbor> NEIGHBORS = List.of(
            new Neighbor(IpLiteral.parse("10.91.1.1"), 65000, null),
            new Neighbor(IpLiteral.parse("fd91::1"), 65000, null));

    /** The agent's side and ExaBGP's, with the streams between them. */
    private static final class World {
        final Random random;
        final FakeExaBgp exabgp = new FakeExaBgp(NEIGHBORS);
        RouteSession session = newSession();
        Set<Route> wanted = Set.of();
        boolean everWanted;
        long now;

        World(long seed) {
            random = new Random(seed);
            connect();
        }

        private static RouteSession newSession() {
            return new RouteSession(NEIGHBORS, Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));
        }

        void connect() {
            session.connected(now);
            exabgp.accept(now);
        }

        void pass() {
            now += random.nextInt(20) * MILLISECOND;
            exabgp.turn(now, 1 + random.nextInt(3), random.nextInt(3));
            receive(random.nextInt(6));
            try {
                session.step(now).ifPresent(exabgp::give);
            } catch (BgpException e) {
                connect(); // too slow with an acknowledgement
            }
            nothingWithdrawnIsStillThere();
        }

        void receive(int limit) {
            for (int lines = limit; lines > 0 && !exabgp.toAgent.isEmpty(); lines--) {
                session.receive(now, exabgp.toAgent.remove());
            }
        }

        /** Long enough for everything that ExaBGP was going to do. */
        void letTimePass() {
            for (int i = 0; i < 50; i++) {
                exabgp.turn(now, 25, 25);
            }
            receive(Integer.MAX_VALUE);
            now += random.nextInt(3000) * MILLISECOND;
        }

        /** What the agent relies on before it takes a service away. */
        void nothingWithdrawnIsStillThere() {
            SpeakerStatus status = status();
            Set<Prefix> wantedPrefixes = new HashSet<>();
            wanted.forEach(route -> wantedPrefixes.add(route.prefix()));
            for (FakePeer peer : exabgp.peers.values()) {
                for (Prefix prefix : peer.router.keySet()) {
                    assertFalse(
                            !wantedPrefixes.contains(prefix) && status.withdrawn(prefix), () -> prefix + " is there");
                }
            }
        }

        SpeakerStatus status() {
            return new SpeakerStatus(
                    session.statuses(),
                    new ProcessStatus(ProcessStatus.State.CONNECTED, 7, 1, null),
                    everWanted && session.current());
        }

        void wantSomething() {
            Set<Route> routes = new HashSet<>(wanted);
            Prefix prefix = Prefix.parse(
                    random.nextBoolean()
                            ? "10.70.0." + random.nextInt(PREFIXES) + "/32"
                            : "fd70::" + Integer.toHexString(1 + random.nextInt(PREFIXES)) + "/128");
            routes.removeIf(route -> route.prefix().equals(prefix));
            if (random.nextInt(10) < 6) {
                int med = random.nextInt(3);
                routes.add(new Route(prefix, med == 0 ? null : (Long) (10L * med)));
            }
            wanted = Set.copyOf(routes);
            everWanted = true;
            session.want(wanted);
        }

        void disturb() {
            FakePeer peer = List.copyOf(exabgp.peers.values()).get(random.nextInt(NEIGHBORS.size()));
            switch (random.nextInt(40)) {
                case 0 -> peer.goDown();
                case 1, 2 -> bringUp(peer);
                case 3 -> {
                    if (random.nextInt(4) == 0) {
                        session = newSession();
                        everWanted = false;
                        connect();
                    }
                }
                case 4 -> letTimePass();
                default -> {
                    if (random.nextInt(3) == 0) {
                        wantSomething();
                    }
                }
            }
        }

        void bringUp(FakePeer peer) {
            if (!peer.isUp()) {
                peer.goDown(); // the attempts to connect that failed meanwhile
                peer.goUp();
            }
        }

        Set<Route> atRouter(FakePeer peer) {
            Set<Route> routes = new HashSet<>();
            peer.router.forEach((prefix, attributes) -> routes.add(new Route(
                    prefix,
                    attributes.contains("med")
                            ? (Long) Long.parseLong(attributes.split(" ", -1)[3])
                            : null)));
            return routes;
        }

        Set<Route> wantedOf(Neighbor neighbor) {
            Set<Route> routes = new HashSet<>(wanted);
            routes.removeIf(route -> route.prefix().isIpv6() != neighbor.isIpv6());
            return routes;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void convergesWhateverHappens(int block) {
        for (int seed = 40 * block; seed < 40 * (block + 1); seed++) {
            World world = new World(seed);
            for (int i = 0; i < 1500; i++) {
                world.disturb();
                world.pass();
            }
            world.exabgp.peers.values().forEach(world::bringUp);
            world.everWanted = true;
            world.session.want(world.wanted);
            for (int i = 0; i < 4000 && !(world.status().settled() && world.exabgp.toAgent.isEmpty()); i++) {
                world.pass();
            }
            assertTrue(world.status().settled(), "settled, seed " + seed);
            for (Neighbor neighbor : NEIGHBORS) {
                assertEquals(
                        world.wantedOf(neighbor),
                        world.atRouter(world.exabgp.peer(neighbor.address())),
                        "at router " + neighbor + ", seed " + seed);
            }
        }
    }

    /** The fake is worth something: whoever just sends every change along ends up with a wrong router. */
    @Test
    void withoutTheRulesTheRouterIsWrong() {
        int wrong = 0;
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            FakeExaBgp exabgp = new FakeExaBgp(NEIGHBORS);
            Neighbor neighbor = NEIGHBORS.get(0);
            FakePeer peer = exabgp.peer(neighbor.address());
            peer.goUp();
            Map<Prefix, String> wanted = new HashMap<>();
            for (int i = 0; i < 200; i++) {
                Prefix prefix = Prefix.parse("10.70.0." + random.nextInt(PREFIXES) + "/32");
                Operation operation = random.nextInt(10) < 6
                        ? Operation.announce(new Route(prefix, 10L * random.nextInt(3)))
                        : Operation.withdraw(prefix);
                exabgp.give(operation.command(neighbor.address()));
                Route route = operation.route();
                if (route == null) {
                    wanted.remove(prefix);
                } else {
                    wanted.put(prefix, Operation.attributes(route));
                }
                if (random.nextInt(5) == 0) {
                    exabgp.turn(i, 2, 100);
                }
            }
            for (int i = 0; i < 50; i++) {
                exabgp.turn(200 + i, 25, 100);
            }
            wrong += peer.router.equals(wanted) ? 0 : 1;
        }
        assertTrue(wrong > 0, "pipelining went well in all runs");
    }
}
