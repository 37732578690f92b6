// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import static io.l4lb.test.Await.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What every speaker does, the one in memory and the one over ExaBGP. */
public abstract class RouteSpeakerContract {
    private static final Route V4 = Route.of(Prefix.parse("198.51.100.20/32"));
    private static final Route V6 = Route.of(Prefix.parse("2001:db8:100::20/128"));

    /** A speaker with an IPv4 and an IPv6 neighbor. */
    protected abstract RouteSpeaker speaker();

    /** Waits until all sessions are up. */
    protected abstract void awaitSessions();

    @Test
    void saysWhatIsAnnouncedAndWhatIsNot() throws InterruptedException {
        RouteSpeaker speaker = speaker();
        assertFalse(speaker.status().settled(), "nothing has been wanted");
        assertFalse(speaker.status().withdrawn(V4.prefix()), "it is not known yet");

        speaker.want(Set.of(V4, V6));
        awaitSessions();
        assertTrue(speaker.awaitSettled(PATIENCE));
        SpeakerStatus status = speaker.status();
        assertTrue(status.announced(V4.prefix()));
        assertFalse(status.withdrawn(V4.prefix()));
        for (NeighborStatus neighbor : status.neighbors()) {
            Route own = neighbor.address().getAddress().length == 4 ? V4 : V6;
            assertEquals(Set.of(own.prefix()), neighbor.announced(), "one family a session");
        }

        speaker.want(Set.of(V6.withMed(10)));
        assertTrue(speaker.awaitSettled(PATIENCE));
        assertTrue(speaker.status().withdrawn(V4.prefix()));
        assertTrue(speaker.status().announced(V6.prefix()));

        speaker.shutDown(PATIENCE);
        assertEquals(ProcessStatus.State.STOPPED, speaker.status().process().state());
    }
}
