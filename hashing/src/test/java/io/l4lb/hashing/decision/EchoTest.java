// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.VIP4;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Verdict.ANSWER_ECHO;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static io.l4lb.hashing.decision.Verdict.PASS_NO_SERVICE;

import org.junit.jupiter.api.Test;

/** Step 3, first half. */
class EchoTest {
    private final Director director = offering(to(R4));

    @Test
    void requestsToAVipAreAnswered() {
        director.assertLeaves(ANSWER_ECHO, EchoFrames.ECHO4, EchoFrames.ECHO4_OUT);
        director.assertLeaves(ANSWER_ECHO, EchoFrames.ECHO4_CARRY, EchoFrames.ECHO4_CARRY_OUT);
        director.assertLeaves(ANSWER_ECHO, EchoFrames.ECHO4_VLAN, EchoFrames.ECHO4_VLAN_OUT);
        director.assertLeaves(ANSWER_ECHO, EchoFrames.ECHO6, EchoFrames.ECHO6_OUT);
    }

    @Test
    void otherAddressesAreNotOurs() {
        director.assertVerdict(PASS_NO_SERVICE, patched(EchoFrames.ECHO4, 14 + 16, "c6336408"));
    }

    @Test
    void repliesAreNotAnswered() {
        director.assertVerdict(PASS_NO_SERVICE, patched(EchoFrames.ECHO4, 14 + 20, "00"));
        director.assertVerdict(PASS_NO_SERVICE, patched(EchoFrames.ECHO6, 14 + 40, "81"));
    }

    @Test
    void whatCannotBeAnsweredIsPassed() {
        director.assertVerdict(PASS_NO_SERVICE, EchoFrames.ECHO6_ROUTED);
        director.assertVerdict(PASS_NO_SERVICE, EchoFrames.ECHO4_FROM_MULTICAST);
        director.assertVerdict(PASS_NO_SERVICE, EchoFrames.ECHO4_FROM_BROADCAST);
        director.assertVerdict(PASS_NO_SERVICE, patched(EchoFrames.ECHO4, 14 + 2, "0100"));
        director.assertVerdict(PASS_NO_SERVICE, EchoFrames.ECHO4.substring(0, 2 * (14 + 20 + 7)));
    }

    @Test
    void theOtherFamilysIcmpIsNoIcmp() {
        director.assertVerdict(PASS_NO_SERVICE, patched(EchoFrames.ECHO4, 14 + 9, "3a"));
        director.assertVerdict(PASS_NO_SERVICE, patched(EchoFrames.ECHO6, 14 + 6, "01"));
    }

    @Test
    void turnedOffARequestIsAnOrdinaryPacket() {
        offering(to(R4)).with(Switches.OFF).assertVerdict(PASS_NO_SERVICE, EchoFrames.ECHO4_CARRY);
        Director any =
                new Director(Services.builder().addAnyProtocol(VIP4, to(R4)).build());
        any.assertVerdict(ANSWER_ECHO, EchoFrames.ECHO4_CARRY);
        any.with(Switches.OFF).assertVerdict(FORWARD_TABLE, EchoFrames.ECHO4_CARRY);
    }
}
