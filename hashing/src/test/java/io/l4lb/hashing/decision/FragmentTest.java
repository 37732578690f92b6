// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.UDP;
import static io.l4lb.hashing.decision.Director.VIP4;
import static io.l4lb.hashing.decision.Director.VIP6;
import static io.l4lb.hashing.decision.Director.named;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Verdict.DROP_FRAGMENT;
import static io.l4lb.hashing.decision.Verdict.DROP_MALFORMED;
import static io.l4lb.hashing.decision.Verdict.FORWARD_FLOW;
import static io.l4lb.hashing.decision.Verdict.FORWARD_FRAGMENT;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static io.l4lb.hashing.decision.Verdict.PASS_FRAGMENT;
import static io.l4lb.hashing.decision.Verdict.PASS_NO_SERVICE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Step 4. */
class FragmentTest {
    private static final FragmentKey PACKET4 = new FragmentKey(Director.CLIENT4, VIP4, UDP, 0xbeef);

    @Test
    void laterFragmentsFollowTheFirst() {
        Director four = offering(to(R4));
        four.assertLeaves(FORWARD_TABLE, FragmentFrames.FIRST4, FragmentFrames.FIRST4_OUT);
        four.assertLeaves(FORWARD_FRAGMENT, FragmentFrames.MIDDLE4, FragmentFrames.MIDDLE4_OUT);
        four.assertLeaves(FORWARD_FRAGMENT, FragmentFrames.LAST4, FragmentFrames.LAST4_OUT);
        assertEquals(Map.of(PACKET4, new Remembered("web", R4)), four.fragments.all());
        Director six = offering(to(R6));
        six.assertLeaves(FORWARD_TABLE, FragmentFrames.FIRST6, FragmentFrames.FIRST6_OUT);
        six.assertLeaves(FORWARD_FRAGMENT, FragmentFrames.MIDDLE6, FragmentFrames.MIDDLE6_OUT);
        six.assertLeaves(FORWARD_FRAGMENT, FragmentFrames.LAST6, FragmentFrames.LAST6_OUT);
        six.assertLeaves(FORWARD_FLOW, FragmentFrames.FIRST6_OPTIONS, FragmentFrames.FIRST6_OPTIONS_OUT);
        six.assertLeaves(FORWARD_FRAGMENT, FragmentFrames.LAST6_OPTIONS, FragmentFrames.LAST6_OPTIONS_OUT);
    }

    @Test
    void withoutTheFirstTheyAreDropped() {
        Director director = offering(to(R4));
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.MIDDLE4);
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.LAST4);
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.LAST6);
    }

    @Test
    void aFirstOfAnotherPacketIsNotTheirs() {
        Director director = offering(to(R4));
        director.assertVerdict(FORWARD_TABLE, FragmentFrames.FIRST4);
        director.assertVerdict(DROP_FRAGMENT, Director.patched(FragmentFrames.LAST4, 14 + 4, "beee"));
        director.assertVerdict(DROP_FRAGMENT, Director.patched(FragmentFrames.LAST4, 14 + 12, "c0000202"));
    }

    @Test
    void ofAProtocolThatNobodyOffersTheyArePassed() {
        Director director = new Director(Services.builder()
                .add(VIP4, Director.TCP, 443, to(R4))
                .addAnyPort(VIP6, Director.TCP, named("six", HashKey.THREE_TUPLE, R6))
                .build());
        director.assertVerdict(PASS_FRAGMENT, FragmentFrames.LAST4);
        director.assertVerdict(PASS_FRAGMENT, FragmentFrames.LAST6);
        director.assertVerdict(PASS_NO_SERVICE, FragmentFrames.FIRST4);
        offering(to(R4)).assertVerdict(PASS_FRAGMENT, FragmentFrames.LAST_ECHO4);
        offering(to(R4)).assertVerdict(PASS_NO_SERVICE, FragmentFrames.FIRST_ECHO4);
    }

    @Test
    void theThreeTupleNeedsNoMemory() {
        for (int protocol : new int[] {UDP, -1}) {
            Service service = named("web", HashKey.THREE_TUPLE, R4);
            Services.Builder services = Services.builder();
            Director director = new Director(
                    protocol == UDP
                            ? services.addAnyPort(VIP4, UDP, service).build()
                            : services.addAnyProtocol(VIP4, service).build());
            director.assertLeaves(FORWARD_TABLE, FragmentFrames.LAST4, FragmentFrames.LAST4_OUT);
            director.assertLeaves(FORWARD_FLOW, FragmentFrames.FIRST4, FragmentFrames.FIRST4_OUT);
            director.assertLeaves(FORWARD_FLOW, FragmentFrames.MIDDLE4, FragmentFrames.MIDDLE4_OUT);
            assertEquals(Map.of(), director.fragments.all());
        }
    }

    @Test
    void theThreeTupleAtAPortDoes() {
        Director director = offering(named("web", HashKey.THREE_TUPLE, R4));
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.LAST4);
        director.assertVerdict(FORWARD_TABLE, FragmentFrames.FIRST4);
        director.assertVerdict(FORWARD_FRAGMENT, FragmentFrames.LAST4);
    }

    @Test
    void optionsBehindTheFragmentHeaderHideTheProtocolFromTheOthers() {
        Director director = new Director(Services.builder()
                .addAnyProtocol(VIP6, named("web", HashKey.THREE_TUPLE, R6))
                .build());
        director.assertVerdict(FORWARD_TABLE, FragmentFrames.FIRST6_OPTIONS);
        director.assertVerdict(FORWARD_FRAGMENT, FragmentFrames.LAST6_OPTIONS);
    }

    @Test
    void theFiveTupleOfAnyPortNeedsTheFirst() {
        Director director =
                new Director(Services.builder().addAnyPort(VIP4, UDP, to(R4)).build());
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.LAST4);
        director.assertVerdict(FORWARD_TABLE, FragmentFrames.FIRST4);
        director.assertVerdict(FORWARD_FRAGMENT, FragmentFrames.LAST4);
    }

    @Test
    void aRememberedRealCountsWhileItIsActive() {
        Director director = offering(to(R4));
        director.fragments.remember(PACKET4, new Remembered("web", "gone"));
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.LAST4);
        director.fragments.remember(PACKET4, new Remembered("other", R4));
        director.assertVerdict(DROP_FRAGMENT, FragmentFrames.LAST4);
    }

    @Test
    void aFragmentThatFollowsHasTheThreeTuple() {
        Director director = offering(to(R4));
        director.decide(FragmentFrames.FIRST4);
        PacketDecision decision = director.decide(FragmentFrames.LAST4);
        assertEquals(Optional.of(new FlowKey(Director.CLIENT4, 0, VIP4, 0, UDP)), decision.key());
        assertEquals(Optional.of(R4), decision.real());
    }

    @Test
    void malformedFragments() {
        Director director = offering(to(R4));
        director.assertVerdict(DROP_MALFORMED, FragmentFrames.TINY_FIRST4);
        director.assertVerdict(DROP_FRAGMENT, Director.patched(FragmentFrames.LAST4, 14 + 2, "0100"));
        director.decide(FragmentFrames.FIRST4);
        director.assertVerdict(DROP_MALFORMED, Director.patched(FragmentFrames.LAST4, 14 + 2, "0100"));
        director.assertVerdict(DROP_MALFORMED, Director.patched(FragmentFrames.FIRST4, 14 + 2, "0100"));
    }
}
