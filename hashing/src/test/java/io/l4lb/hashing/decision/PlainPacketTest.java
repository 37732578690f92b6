// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Verdict.DROP_MALFORMED;
import static io.l4lb.hashing.decision.Verdict.DROP_NO_NEXT_HOP;
import static io.l4lb.hashing.decision.Verdict.DROP_TOO_BIG;
import static io.l4lb.hashing.decision.Verdict.DROP_TTL;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static io.l4lb.hashing.decision.Verdict.PASS_NOT_IP;
import static io.l4lb.hashing.decision.Verdict.PASS_NO_SERVICE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.FlowKey;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Steps 1, 2, 7 and 8 on packets of one piece. */
class PlainPacketTest {
    /** Where the IP header begins, and TCP behind an IPv4 header without options. */
    private static final int IP = 14;

    private static final int TRANSPORT4 = IP + 20;

    private final Director director4 = offering(to(R4));
    private final Director director6 = offering(to(R6));

    @Test
    void allFourCombinationsOfFamiliesAreEncapsulated() {
        director4.assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, PlainFrames.SYN4_OUT);
        director6.assertLeaves(FORWARD_TABLE, PlainFrames.DNS4, PlainFrames.DNS4_OUT);
        director6.assertLeaves(FORWARD_TABLE, PlainFrames.SYN6, PlainFrames.SYN6_OUT);
        director4.assertLeaves(FORWARD_TABLE, PlainFrames.UDP6, PlainFrames.UDP6_OUT);
    }

    @Test
    void paddingStaysBehindThePacket() {
        director4.assertLeaves(FORWARD_TABLE, PlainFrames.ACK4_PADDED, PlainFrames.ACK4_PADDED_OUT);
    }

    @Test
    void ipOptionsAreKept() {
        director4.assertLeaves(FORWARD_TABLE, PlainFrames.SYN4_OPTIONS, PlainFrames.SYN4_OPTIONS_OUT);
    }

    @Test
    void upToTwoTagsAreKept() {
        director4.assertLeaves(FORWARD_TABLE, PlainFrames.SYN4_VLAN, PlainFrames.SYN4_VLAN_OUT);
        director4.assertLeaves(FORWARD_TABLE, PlainFrames.SYN6_QINQ, PlainFrames.SYN6_QINQ_OUT);
        director4.assertVerdict(PASS_NOT_IP, PlainFrames.SYN4_THREE_TAGS);
    }

    @Test
    void extensionHeadersAreFollowed() {
        director6.assertLeaves(FORWARD_TABLE, ExtensionFrames.HOP_BY_HOP, ExtensionFrames.HOP_BY_HOP_OUT);
        director6.assertLeaves(FORWARD_TABLE, ExtensionFrames.ROUTING, ExtensionFrames.ROUTING_OUT);
        director6.assertLeaves(FORWARD_TABLE, ExtensionFrames.DESTINATION, ExtensionFrames.DESTINATION_OUT);
        director6.assertLeaves(FORWARD_TABLE, ExtensionFrames.ATOMIC_FRAGMENT, ExtensionFrames.ATOMIC_FRAGMENT_OUT);
        director6.assertLeaves(FORWARD_TABLE, ExtensionFrames.ALL_FOUR, ExtensionFrames.ALL_FOUR_OUT);
        director6.assertLeaves(FORWARD_TABLE, ExtensionFrames.EIGHT, ExtensionFrames.EIGHT_OUT);
        assertEquals(1, director6.flows.all().size(), "all are one flow");
    }

    @Test
    void aChainThatIsTooLongOrCutHasNoProtocol() {
        director6.assertVerdict(PASS_NO_SERVICE, ExtensionFrames.NINE);
        Director any = new Director(
                Services.builder().addAnyProtocol(Director.VIP6, to(R6)).build());
        any.assertVerdict(DROP_MALFORMED, ExtensionFrames.NINE);
        String cut = ExtensionFrames.HOP_BY_HOP.substring(0, 2 * (IP + 40 + 7));
        any.assertVerdict(DROP_MALFORMED, cut);
        director6.assertVerdict(PASS_NO_SERVICE, cut);
    }

    @Test
    void decisionSaysWhy() {
        PacketDecision decision = director4.decide(PlainFrames.SYN4);
        FlowKey flow = new FlowKey(Director.CLIENT4, 50000, Director.VIP4, 443, 6);
        assertEquals("web", decision.service().orElseThrow().name());
        assertEquals(Optional.of(R4), decision.real());
        assertEquals(0, decision.slot().orElseThrow());
        assertEquals(Optional.of(flow), decision.key());
        assertEquals(flow.hash(Director.SEED), decision.hash().orElseThrow());
    }

    @Test
    void whatIsNotWholeIpIsPassed() {
        director4.assertVerdict(PASS_NOT_IP, "");
        director4.assertVerdict(PASS_NOT_IP, PlainFrames.ARP);
        for (int length = 0; length < TRANSPORT4; length++) {
            director4.assertVerdict(PASS_NOT_IP, PlainFrames.SYN4.substring(0, 2 * length));
        }
        for (int length = 0; length < IP + 40; length++) {
            director4.assertVerdict(PASS_NOT_IP, PlainFrames.SYN6.substring(0, 2 * length));
        }
        director4.assertVerdict(PASS_NOT_IP, patched(PlainFrames.SYN4, IP, "44"));
        director4.assertVerdict(PASS_NOT_IP, patched(PlainFrames.SYN4, IP, "65"));
        director4.assertVerdict(PASS_NOT_IP, patched(PlainFrames.SYN6, IP, "40"));
        director4.assertVerdict(PASS_NOT_IP, PlainFrames.SYN4_OPTIONS.substring(0, 2 * (TRANSPORT4 + 3)));
    }

    @Test
    void whatIsForNobodyIsPassedWhateverIsWrongWithIt() {
        String elsewhere = patched(PlainFrames.SYN4, IP + 16, "c6336408");
        director4.assertVerdict(PASS_NO_SERVICE, elsewhere);
        director4.assertVerdict(PASS_NO_SERVICE, patched(elsewhere, IP + 2, "ffff"));
        director4.assertVerdict(PASS_NO_SERVICE, patched(PlainFrames.SYN4, TRANSPORT4 + 2, "01bc"));
        director4.assertVerdict(PASS_NO_SERVICE, patched(PlainFrames.SYN4, IP + 9, "2f"));
        director4.assertVerdict(PASS_NO_SERVICE, PlainFrames.SYN4.substring(0, 2 * (TRANSPORT4 + 3)));
    }

    @Test
    void lengthsThatContradictEachOtherAreMalformed() {
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN4, IP + 2, "003d"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN4, IP + 2, "0027"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN4, IP + 2, "0000"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN6, IP + 4, "0029"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN4, TRANSPORT4 + 12, "40"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN4, TRANSPORT4 + 12, "b0"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.DNS4, TRANSPORT4 + 4, "0007"));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.DNS4, TRANSPORT4 + 4, "0026"));
        director4.assertVerdict(FORWARD_TABLE, patched(PlainFrames.DNS4, TRANSPORT4 + 4, "0008"));
        for (int length = TRANSPORT4 + 4; length < TRANSPORT4 + 40; length++) {
            director4.assertVerdict(DROP_MALFORMED, PlainFrames.SYN4.substring(0, 2 * length));
        }
    }

    @Test
    void mappedAddressesAreNoIpv6Addresses() {
        String mapped = "00000000000000000000ffffc6336407";
        director4.assertVerdict(PASS_NO_SERVICE, patched(PlainFrames.SYN6, IP + 24, mapped));
        director4.assertVerdict(DROP_MALFORMED, patched(PlainFrames.SYN6, IP + 8, mapped));
    }

    @Test
    void timeToLiveRunsOut() {
        director4.assertVerdict(DROP_TTL, patched(PlainFrames.SYN4, IP + 8, "01"));
        director4.assertVerdict(DROP_TTL, patched(PlainFrames.SYN4, IP + 8, "00"));
        director4.assertVerdict(DROP_TTL, patched(PlainFrames.SYN6, IP + 7, "01"));
        director4.assertVerdict(FORWARD_TABLE, patched(PlainFrames.SYN6, IP + 7, "02"));
    }

    @Test
    void withoutGatewayOrSourceNothingLeaves() {
        NextHops none = new NextHops(null, null);
        offering(to(R4)).with(none).assertVerdict(DROP_NO_NEXT_HOP, PlainFrames.SYN4);
        offering(to(R6)).with(none).assertVerdict(DROP_NO_NEXT_HOP, PlainFrames.SYN4);
        Tunnel unreachable = new Tunnel(1500, null, null);
        offering(to(R4)).with(unreachable).assertVerdict(DROP_NO_NEXT_HOP, PlainFrames.SYN4);
        offering(to(R6)).with(unreachable).assertVerdict(DROP_NO_NEXT_HOP, PlainFrames.SYN4);
    }

    @Test
    void theFirstReasonCounts() {
        Director director = offering(to(R4)).with(new Tunnel(79, null, null)).with(Switches.OFF);
        director.assertVerdict(DROP_TOO_BIG, PlainFrames.SYN4);
        director.assertVerdict(DROP_TTL, patched(PlainFrames.SYN4, IP + 8, "01"));
        director.with(Director.tunnel(80, 0)).assertVerdict(FORWARD_TABLE, PlainFrames.SYN4);
    }
}
