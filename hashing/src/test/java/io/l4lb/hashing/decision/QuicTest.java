// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.REALS;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Verdict.FORWARD_FLOW;
import static io.l4lb.hashing.decision.Verdict.FORWARD_SERVER_ID;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Step 5: the server ID names r6, the table r4. */
class QuicTest {
    private static final QuicServers SERVERS =
            new QuicServers(new ConnectionIdLayout(8, 2, 2), Map.of(ServerId.ofHex("0a0b"), R6));

    private static Director director(Map<String, InetAddress> active) {
        return offering(Service.ofQuic("quic", Director.tableOf(R4), active, SERVERS));
    }

    @Test
    void aKnownServerIdNamesItsReal() {
        Director director = director(REALS);
        director.assertLeaves(FORWARD_SERVER_ID, QuicFrames.LONG_V1, QuicFrames.LONG_V1_OUT);
        director.assertLeaves(FORWARD_SERVER_ID, QuicFrames.LONG_V2, QuicFrames.LONG_V2_OUT);
        director.assertLeaves(FORWARD_SERVER_ID, QuicFrames.SHORT, QuicFrames.SHORT_OUT);
        director.assertLeaves(FORWARD_SERVER_ID, QuicFrames.SHORT6, QuicFrames.SHORT6_OUT);
        assertEquals(Map.of(), director.flows.all(), "the flow table is not asked");
    }

    @Test
    void anythingElseGoesByTheFiveTuple() {
        for (String frame : List.of(
                QuicFrames.UNKNOWN_ID,
                QuicFrames.OTHER_ROTATION,
                QuicFrames.VERSION_3,
                QuicFrames.TRUNCATED,
                QuicFrames.PADDED_SHORT)) {
            Director director = director(REALS);
            PacketDecision decision = director.decide(frame);
            assertEquals(FORWARD_TABLE, decision.verdict());
            assertEquals(Optional.of(R4), decision.real());
            FlowKey flow = new FlowKey(Director.CLIENT4, 50000, Director.VIP4, 443, Director.UDP);
            assertEquals(Map.of(new ServiceFlow("quic", flow), new Remembered("quic", R4)), director.flows.all());
            director.assertVerdict(FORWARD_FLOW, frame);
        }
    }

    @Test
    void aServerThatMayHaveNoTrafficIsUnknown() {
        Director director = director(Map.of(R4, Director.address("10.0.1.1")));
        assertEquals(Optional.of(R4), director.decide(QuicFrames.SHORT).real());
    }

    @Test
    void otherProtocolsOfTheServiceGoByTheFiveTuple() {
        director(REALS).assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, PlainFrames.SYN4_OUT);
    }

    @Test
    void errorsGoByTheFiveTuple() {
        director(REALS).assertLeaves(FORWARD_TABLE, IcmpFrames.NEEDS_FRAGMENTATION, IcmpFrames.NEEDS_FRAGMENTATION_OUT);
    }

    @Test
    void needsALayout() {
        assertThrows(
                IllegalArgumentException.class,
                () -> Service.of("quic", HashKey.QUIC_CID, Director.tableOf(R4), REALS));
    }
}
