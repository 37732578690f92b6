// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InMemoryRouteSpeakerTest extends RouteSpeakerContract {
    private static final InetAddress NEIGHBOR = IpLiteral.parse("10.91.1.1");
    private static final Route ROUTE = Route.of(Prefix.parse("198.51.100.20/32"));

    private int changes;
    private final InMemoryRouteSpeaker speaker = new InMemoryRouteSpeaker(
            List.of(NEIGHBOR, IpLiteral.parse("fd91:1::1")), Clock.systemUTC(), () -> changes++);

    @Override
    protected RouteSpeaker speaker() {
        return speaker;
    }

    @Override
    protected void awaitSessions() {}

    @Test
    void canBeHeldStillAndTakenDown() {
        speaker.holdStill(true);
        speaker.want(Set.of(ROUTE));
        assertFalse(speaker.status().settled());
        assertEquals(Set.of(), speaker.sent());
        speaker.holdStill(false);
        assertTrue(speaker.status().settled());
        assertEquals(Set.of(ROUTE), speaker.sent());
        speaker.down(NEIGHBOR);
        assertFalse(speaker.status().announced(ROUTE.prefix()));
        speaker.up(NEIGHBOR);
        assertTrue(speaker.status().announced(ROUTE.prefix()));
        assertEquals(5, changes);
    }
}
