// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.gueTo;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Director.tunnel;
import static io.l4lb.hashing.decision.Verdict.ANSWER_TOO_BIG;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.hashing.packet.MacAddress;
import org.junit.jupiter.api.Test;

/** Step 7: outer headers and what varies in them. */
class TunnelTest {
    @Test
    void genericUdpEncapsulation() {
        offering(gueTo(R4)).assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, TunnelFrames.GUE_4_IN_4);
        offering(gueTo(R6)).assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, TunnelFrames.GUE_4_IN_6);
        offering(gueTo(R4)).assertLeaves(FORWARD_TABLE, PlainFrames.SYN6, TunnelFrames.GUE_6_IN_4);
        offering(gueTo(R6)).assertLeaves(FORWARD_TABLE, PlainFrames.SYN6, TunnelFrames.GUE_6_IN_6);
    }

    @Test
    void genericUdpEncapsulationTakesEightBytesMore() {
        Director fits = offering(gueTo(R4)).with(tunnel(60 + 28, 0));
        fits.assertVerdict(FORWARD_TABLE, PlainFrames.SYN4);
        Director tooBig = offering(gueTo(R4)).with(tunnel(60 + 27, 0));
        tooBig.assertLeaves(ANSWER_TOO_BIG, PlainFrames.SYN4, TooBigFrames.SYN4_TOO_BIG);
    }

    @Test
    void theOuterSourceVariesWithTheFlow() {
        Tunnel five = tunnel(1500, 5);
        offering(to(R4)).with(five).assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, TunnelFrames.SPREAD_4);
        Tunnel sixteen = tunnel(1500, 16);
        offering(to(R6)).with(sixteen).assertLeaves(FORWARD_TABLE, PlainFrames.SYN6, TunnelFrames.SPREAD_6);
    }

    @Test
    void throughAnotherInterfaceTagsAreLeftBehind() {
        MacAddress other = Director.mac("020000000502");
        NextHops hops = new NextHops(new Gateway(Director.mac("020000000501"), other), null);
        String out = "020000000501" + "020000000502" + PlainFrames.SYN4_OUT.substring(24);
        offering(to(R4)).with(hops).assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, out);
        String tags = "88a80064" + "81000065";
        String tagged = PlainFrames.SYN4.substring(0, 24) + tags + PlainFrames.SYN4.substring(24);
        offering(to(R4)).with(hops).assertLeaves(FORWARD_TABLE, tagged, out);
    }

    @Test
    void impossibleValuesAreRefused() {
        OuterSource four = new OuterSource(Director.address("10.0.0.2"), 0);
        assertThrows(IllegalArgumentException.class, () -> new Tunnel(1500, null, four));
        assertThrows(IllegalArgumentException.class, () -> tunnel(65536, 0));
        assertThrows(IllegalArgumentException.class, () -> tunnel(-1, 0));
        assertThrows(IllegalArgumentException.class, () -> tunnel(1500, 17));
        assertThrows(IllegalArgumentException.class, () -> new Switches(true, true, 65536));
    }
}
