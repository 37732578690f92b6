// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.VIP4;
import static io.l4lb.hashing.decision.Director.address;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Director.tunnel;
import static io.l4lb.hashing.decision.Verdict.ANSWER_PATH_MTU;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static io.l4lb.hashing.decision.Verdict.PASS_NO_SERVICE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.packet.InternetChecksum;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** A router between the director and a real finds a tunnel packet too big. */
class PathMtuTest {
    private static final String FOUR = PathMtuFrames.FOUR_IN_FOUR;
    private static final String SIX = PathMtuFrames.SIX_IN_SIX;
    private static final int IP = 14;
    private static final int ICMP4 = IP + 20;
    private static final int OUTER4 = ICMP4 + 8;
    private static final int INNER4 = OUTER4 + 20;
    private static final int ICMP6 = IP + 40;
    private static final int OUTER6 = ICMP6 + 8;
    private static final int INNER6 = OUTER6 + 40;

    private final Director director = offering(to(R4));

    private void assertTold(String in, String out) {
        director.assertLeaves(ANSWER_PATH_MTU, in, out);
    }

    /** Also with a checksum that is right after the change. */
    private void assertPassed(String in) {
        director.assertVerdict(PASS_NO_SERVICE, intact(in));
    }

    /** The frame without tags, with a right checksum of its message. */
    private static String intact(String hex) {
        byte[] frame = Director.bytes(patched(hex, hex.startsWith("86dd", 24) ? ICMP6 + 2 : ICMP4 + 2, "0000"));
        boolean ipv4 = frame[IP] >>> 4 == 4;
        int at = ipv4 ? ICMP4 : ICMP6;
        long start = ipv4 ? 0 : InternetChecksum.sum(frame, IP + 8, IP + 40) + (frame.length - ICMP6) + 58;
        int checksum = InternetChecksum.of(frame, at, frame.length, start);
        return patched(HexFormat.of().formatHex(frame), at + 2, "%04x".formatted(checksum));
    }

    @Test
    void theSenderOfThePacketInsideIsTold() {
        assertTold(FOUR, PathMtuFrames.FOUR_IN_FOUR_OUT);
        assertTold(PathMtuFrames.SIX_IN_FOUR, PathMtuFrames.SIX_IN_FOUR_OUT);
        assertTold(PathMtuFrames.FOUR_IN_SIX, PathMtuFrames.FOUR_IN_SIX_OUT);
        assertTold(SIX, PathMtuFrames.SIX_IN_SIX_OUT);
        assertTold(PathMtuFrames.OPTIONS, PathMtuFrames.OPTIONS_OUT);
        assertEquals(intact(FOUR), FOUR);
        assertEquals(intact(SIX), SIX);
    }

    @Test
    void inGenericUdpEncapsulationToo() {
        assertTold(PathMtuFrames.GUE_4_IN_4, PathMtuFrames.GUE_4_IN_4_OUT);
        assertTold(PathMtuFrames.GUE_6_IN_4, PathMtuFrames.GUE_6_IN_4_OUT);
        assertTold(PathMtuFrames.GUE_4_IN_6, PathMtuFrames.GUE_4_IN_6_OUT);
        assertTold(PathMtuFrames.GUE_6_IN_6, PathMtuFrames.GUE_6_IN_6_OUT);
        int port = INNER4 + 2;
        assertPassed(patched(PathMtuFrames.GUE_4_IN_4, port, "17c1"));
    }

    @Test
    void itIsNobodysPacketForTheCounters() {
        PacketDecision decision = director.decide(FOUR);
        assertTrue(decision.service().isEmpty());
        assertTrue(decision.real().isEmpty());
    }

    @Test
    void theOuterSourceMayVary() {
        String other = patched(patched(FOUR, IP + 16, "0a00001f"), OUTER4 + 12, "0a00001f");
        assertPassed(other);
        director.with(tunnel(1500, 5)).assertLeaves(ANSWER_PATH_MTU, intact(other), PathMtuFrames.FOUR_IN_FOUR_OUT);
        assertPassed(patched(patched(FOUR, IP + 16, "0a000020"), OUTER4 + 12, "0a000020"));
    }

    @Test
    void anotherSourceIsNotOurs() {
        assertPassed(patched(FOUR, IP + 16, "0a000003"));
        assertPassed(patched(FOUR, OUTER4 + 12, "0a000003"));
        assertPassed(patched(SIX, IP + 39, "03"));
        assertPassed(patched(SIX, OUTER6 + 23, "03"));
        director.with(new Tunnel(1500, null, null));
        assertPassed(FOUR);
        assertPassed(SIX);
        assertPassed(patched(SIX, IP + 24, "00000000000000000000000000000001"));
    }

    @Test
    void otherMessagesAreNotOurs() {
        assertPassed(patched(FOUR, ICMP4, "0301"));
        assertPassed(patched(FOUR, ICMP4, "0b04"));
        assertPassed(patched(SIX, ICMP6, "0100"));
        assertPassed(patched(FOUR, IP + 9, "3a"));
        assertPassed(patched(SIX, IP + 6, "01"));
        String anyCode = intact(patched(SIX, ICMP6, "0207"));
        director.assertLeaves(ANSWER_PATH_MTU, anyCode, PathMtuFrames.SIX_IN_SIX_OUT);
    }

    @Test
    void aWrongMessageIsNotMadeRight() {
        director.assertVerdict(PASS_NO_SERVICE, patched(FOUR, ICMP4 + 7, "77"));
        director.assertVerdict(PASS_NO_SERVICE, patched(SIX, ICMP6 + 7, "13"));
    }

    @Test
    void noSenderIsToldLessThanEveryLinkCarries() {
        byte[] answer =
                director.decide(intact(patched(FOUR, ICMP4 + 6, "0044"))).frame();
        assertEquals(68, answer[ICMP4 + 7]);
        assertPassed(patched(FOUR, ICMP4 + 6, "0043"));
        assertPassed(patched(FOUR, ICMP4 + 6, "0000"));
        String out = PathMtuFrames.SIX_IN_SIX_OUT;
        director.assertLeaves(ANSWER_PATH_MTU, intact(patched(SIX, ICMP6 + 6, "0500")), out);
        assertPassed(patched(SIX, ICMP6 + 6, "04ff"));
        assertPassed(patched(SIX, ICMP6 + 4, "00010500"));
    }

    @Test
    void whatFitsIsNotTooBig() {
        assertPassed(patched(FOUR, INNER4 + 2, "0564"));
        director.assertVerdict(ANSWER_PATH_MTU, intact(patched(FOUR, INNER4 + 2, "0565")));
        assertPassed(patched(SIX, INNER6 + 4, "04d8"));
        director.assertVerdict(ANSWER_PATH_MTU, intact(patched(SIX, INNER6 + 4, "04d9")));
    }

    @Test
    void theQuoteReachesToThePorts() {
        String shorter = patched(FOUR.substring(0, FOUR.length() - 2), IP + 2, "004b");
        assertPassed(shorter);
        assertPassed(patched(FOUR, IP + 2, "004b"));
        assertPassed(patched(FOUR, IP + 2, "004d"));
        assertPassed(patched(FOUR, INNER4, "46"));
        assertPassed(patched(SIX.substring(0, SIX.length() - 2), IP + 4, "005f"));
    }

    @Test
    void asMuchIsQuotedAgainAsMayBe() {
        byte[] longer = Arrays.copyOf(Director.bytes(patched(FOUR, IP + 2, "0400")), IP + 1024);
        byte[] answer = director.decide(longer).frame();
        assertEquals(IP + 576, answer.length);
        assertArrayEquals(
                Arrays.copyOfRange(longer, INNER4, INNER4 + 548), Arrays.copyOfRange(answer, IP + 28, IP + 576));
        PacketChecks.assertRight(answer);
    }

    @Test
    void aTunnelPacketOfOursIsQuoted() {
        assertPassed(patched(FOUR, OUTER4, "46"));
        assertPassed(patched(FOUR, OUTER4 + 6, "2000"));
        assertPassed(patched(FOUR, OUTER4 + 9, "2f"));
        assertPassed(patched(FOUR, OUTER4 + 9, "29"));
        assertPassed(patched(SIX, OUTER6 + 6, "00"));
    }

    @Test
    void thePacketInsideIsOfAVip() {
        assertPassed(patched(FOUR, INNER4 + 16, "c6336408"));
        assertPassed(patched(SIX, INNER6 + 39, "08"));
        assertPassed(patched(SIX, INNER6 + 8, "00000000000000000000ffffc0000201"));
    }

    @Test
    void whoIsNotToldByRoutersIsNotToldHere() {
        assertPassed(patched(FOUR, INNER4 + 12, "e0000001"));
        assertPassed(patched(FOUR, INNER4 + 6, "0001"));
        director.assertVerdict(ANSWER_PATH_MTU, intact(patched(FOUR, INNER4 + 6, "2000")));
        String aboutError = patched(patched(FOUR, INNER4 + 9, "01"), INNER4 + 20, "0304");
        assertPassed(aboutError);
        director.assertVerdict(ANSWER_PATH_MTU, intact(patched(aboutError, INNER4 + 20, "0800")));
        assertPassed(patched(patched(SIX, INNER6 + 6, "3a"), INNER6 + 40, "0200"));
    }

    @Test
    void aFragmentOfAMessageIsNotOne() {
        assertPassed(patched(FOUR, IP + 6, "2000"));
        assertPassed(patched(FOUR, IP + 6, "0001"));
    }

    @Test
    void anOuterSourceThatIsAVipIsOne() {
        Director both = new Director(Services.builder()
                .addAnyProtocol(address("10.0.0.2"), to(R4))
                .addAnyProtocol(VIP4, Director.named("other", HashKey.FIVE_TUPLE, R4))
                .build());
        both.assertVerdict(FORWARD_TABLE, FOUR);
    }

    @Test
    void turnedOffItIsNobodysPacket() {
        director.with(Switches.OFF).assertVerdict(PASS_NO_SERVICE, FOUR);
    }
}
