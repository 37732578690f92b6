// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Director.tunnel;
import static io.l4lb.hashing.decision.Verdict.ANSWER_TOO_BIG;
import static io.l4lb.hashing.decision.Verdict.DROP_TOO_BIG;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Step 7: what does not fit the tunnel. */
class TooBigTest {
    private static final int ETHERNET = 14;

    private static Director fitting(String real, int mtu) {
        return offering(to(real)).with(tunnel(mtu, 0));
    }

    @Test
    void theSenderIsTold() {
        fitting(R4, 79).assertLeaves(ANSWER_TOO_BIG, PlainFrames.SYN4, TooBigFrames.SYN4_TOO_BIG);
        fitting(R6, 99).assertLeaves(ANSWER_TOO_BIG, PlainFrames.SYN4, TooBigFrames.SYN4_TOO_BIG);
        fitting(R4, 79).assertLeaves(ANSWER_TOO_BIG, PlainFrames.SYN4_VLAN, TooBigFrames.VLAN_TOO_BIG);
        fitting(R4, 59).assertLeaves(ANSWER_TOO_BIG, PlainFrames.ACK4_PADDED, TooBigFrames.PADDED_TOO_BIG);
        fitting(R6, 119).assertLeaves(ANSWER_TOO_BIG, PlainFrames.SYN6, TooBigFrames.SYN6_TOO_BIG);
    }

    @Test
    void whatJustFitsIsForwarded() {
        fitting(R4, 80).assertVerdict(FORWARD_TABLE, PlainFrames.SYN4);
        fitting(R6, 100).assertVerdict(FORWARD_TABLE, PlainFrames.SYN4);
        fitting(R6, 120).assertVerdict(FORWARD_TABLE, PlainFrames.SYN6);
    }

    @Test
    void theAnswerSaysToWhomThePacketWouldHaveGone() {
        PacketDecision decision = fitting(R4, 79).decide(PlainFrames.SYN4);
        assertEquals(R4, decision.real().orElseThrow());
        assertEquals("web", decision.service().orElseThrow().name());
    }

    /** The SYN, lengthened; its checksums do not matter here. */
    private static byte[] lengthened(String frame, int lengthAt, int length, int total) {
        byte[] bytes = Arrays.copyOf(Director.bytes(frame), ETHERNET + total);
        bytes[lengthAt] = (byte) (length >>> 8);
        bytes[lengthAt + 1] = (byte) length;
        return bytes;
    }

    @Test
    void theQuoteIsAsLongAsMayBe() {
        byte[] four = lengthened(PlainFrames.SYN4, ETHERNET + 2, 1481, 1481);
        byte[] answer4 = fitting(R4, 1500).decide(four).frame();
        assertEquals(ETHERNET + 576, answer4.length);
        assertArrayEquals(
                Arrays.copyOfRange(four, ETHERNET, ETHERNET + 548), Arrays.copyOfRange(answer4, ETHERNET + 28, 590));
        PacketChecks.assertRight(answer4);
        byte[] six = lengthened(PlainFrames.SYN6, ETHERNET + 4, 1421, 1461);
        byte[] answer6 = fitting(R6, 1500).decide(six).frame();
        assertEquals(ETHERNET + 1280, answer6.length);
        assertArrayEquals(
                Arrays.copyOfRange(six, ETHERNET, ETHERNET + 1232),
                Arrays.copyOfRange(answer6, ETHERNET + 48, ETHERNET + 1280));
        PacketChecks.assertRight(answer6);
    }

    @Test
    void whatMayBeFragmentedIsDropped() {
        fitting(R4, 79).assertVerdict(DROP_TOO_BIG, patched(PlainFrames.SYN4, ETHERNET + 6, "0000"));
    }

    @Test
    void turnedOffAllIsDropped() {
        Director director = fitting(R4, 79).with(Switches.OFF);
        director.assertVerdict(DROP_TOO_BIG, PlainFrames.SYN4);
        director.assertVerdict(DROP_TOO_BIG, PlainFrames.SYN6);
    }

    @Test
    void nobodyIsToldOfALaterFragmentOrAtAnAddressOfMany() {
        Director director = fitting(R4, 35);
        director.decide(FragmentFrames.FIRST4);
        director.assertVerdict(DROP_TOO_BIG, patched(FragmentFrames.LAST4, ETHERNET + 6, "4004"));
        director.assertVerdict(ANSWER_TOO_BIG, patched(FragmentFrames.FIRST4, ETHERNET + 6, "6000"));
        director.assertVerdict(DROP_TOO_BIG, patched(PlainFrames.SYN4, ETHERNET + 12, "e0000001"));
        director.decide(FragmentFrames.FIRST6);
        director.assertVerdict(ANSWER_TOO_BIG, FragmentFrames.LAST6);
    }
}
