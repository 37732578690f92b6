// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.CLIENT4;
import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.VIP4;
import static io.l4lb.hashing.decision.Director.named;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Verdict.DROP_MALFORMED;
import static io.l4lb.hashing.decision.Verdict.DROP_TOO_BIG;
import static io.l4lb.hashing.decision.Verdict.FORWARD_FLOW;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static io.l4lb.hashing.decision.Verdict.PASS_NO_SERVICE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Step 3, second half: errors go to the real whose packet they quote. */
class IcmpErrorTest {
    private static final FlowKey FLOW = new FlowKey(CLIENT4, 50000, VIP4, 443, 6);

    @Test
    void errorsFollowTheirFlow() {
        Director four = offering(to(R4));
        four.assertLeaves(FORWARD_TABLE, IcmpFrames.NEEDS_FRAGMENTATION, IcmpFrames.NEEDS_FRAGMENTATION_OUT);
        four.assertLeaves(FORWARD_TABLE, IcmpFrames.UNREACHABLE_LONG, IcmpFrames.UNREACHABLE_LONG_OUT);
        four.assertLeaves(FORWARD_TABLE, IcmpFrames.TIME_EXCEEDED, IcmpFrames.TIME_EXCEEDED_OUT);
        Director six = offering(to(R6));
        six.assertLeaves(FORWARD_TABLE, IcmpFrames.TOO_BIG6, IcmpFrames.TOO_BIG6_OUT);
        six.assertLeaves(FORWARD_TABLE, IcmpFrames.UNREACHABLE6, IcmpFrames.UNREACHABLE6_OUT);
        six.assertLeaves(FORWARD_TABLE, IcmpFrames.TIME_EXCEEDED6, IcmpFrames.TIME_EXCEEDED6_OUT);
        assertEquals(Map.of(), four.flows.all(), "an error is no packet of its flow");
    }

    @Test
    void theKeyIsThatOfTheClientsPackets() {
        Director director = offering(to(R4));
        PacketDecision error = director.decide(IcmpFrames.NEEDS_FRAGMENTATION);
        PacketDecision packet = director.decide(PlainFrames.SYN4);
        assertEquals(Optional.of(FLOW), error.key());
        assertEquals(packet.key(), error.key());
        assertEquals(packet.hash(), error.hash());
        assertEquals(packet.slot(), error.slot());
        Director three = offering(named("web", HashKey.THREE_TUPLE, R4));
        assertEquals(
                Optional.of(FLOW.threeTuple()),
                three.decide(IcmpFrames.NEEDS_FRAGMENTATION).key());
    }

    @Test
    void aRememberedFlowCountsBeforeTheTable() {
        Director director = offering(to(R6));
        director.flows.remember(new ServiceFlow("web", FLOW), new Remembered("web", R4));
        director.assertLeaves(FORWARD_FLOW, IcmpFrames.NEEDS_FRAGMENTATION, IcmpFrames.NEEDS_FRAGMENTATION_OUT);
    }

    @Test
    void otherErrorsAreNotFollowed() {
        Director director = offering(to(R4));
        director.assertVerdict(PASS_NO_SERVICE, IcmpFrames.SHORT_QUOTE);
        director.assertVerdict(PASS_NO_SERVICE, IcmpFrames.SHORT_QUOTE + "bb0000");
        director.assertVerdict(PASS_NO_SERVICE, IcmpFrames.FOREIGN_QUOTE);
        director.assertVerdict(PASS_NO_SERVICE, IcmpFrames.PARAMETER_PROBLEM);
        director.assertVerdict(PASS_NO_SERVICE, IcmpFrames.MAPPED_QUOTE6);
        director.assertVerdict(PASS_NO_SERVICE, IcmpFrames.QUOTED_LATER_FRAGMENT);
        for (int length = 14; length < 14 + 20 + 8 + 20; length++) {
            director.decide(IcmpFrames.NEEDS_FRAGMENTATION.substring(0, 2 * length));
        }
    }

    @Test
    void aQuotedFragmentWithoutPortsIsFoundByTheThreeTuple() {
        Director director = new Director(Services.builder()
                .addAnyPort(VIP4, Director.UDP, named("web", HashKey.THREE_TUPLE, R4))
                .build());
        PacketDecision decision = director.decide(IcmpFrames.QUOTED_LATER_FRAGMENT);
        assertEquals(FORWARD_TABLE, decision.verdict());
        assertEquals(Optional.of(new FlowKey(CLIENT4, 0, VIP4, 0, Director.UDP)), decision.key());
    }

    @Test
    void ofAnyProtocolTheyAreOrdinaryPackets() {
        Director director =
                new Director(Services.builder().addAnyProtocol(VIP4, to(R4)).build());
        PacketDecision decision = director.decide(IcmpFrames.PARAMETER_PROBLEM);
        assertEquals(FORWARD_TABLE, decision.verdict());
        assertEquals(Optional.of(new FlowKey(Director.address("203.0.113.1"), 0, VIP4, 0, 1)), decision.key());
    }

    @Test
    void anErrorThatIsCutIsMalformed() {
        offering(to(R4)).assertVerdict(DROP_MALFORMED, patched(IcmpFrames.NEEDS_FRAGMENTATION, 14 + 2, "0100"));
    }

    @Test
    void anErrorIsNotAnsweredByAnError() {
        Director director = offering(to(R6)).with(Director.tunnel(60, 0));
        director.assertVerdict(DROP_TOO_BIG, IcmpFrames.TOO_BIG6);
        director.assertVerdict(DROP_TOO_BIG, patched(IcmpFrames.NEEDS_FRAGMENTATION, 14 + 6, "4000"));
    }
}
