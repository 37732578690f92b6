// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.CLIENT4;
import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.R6;
import static io.l4lb.hashing.decision.Director.REALS;
import static io.l4lb.hashing.decision.Director.TCP;
import static io.l4lb.hashing.decision.Director.UDP;
import static io.l4lb.hashing.decision.Director.VIP4;
import static io.l4lb.hashing.decision.Director.named;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.patched;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Verdict.DROP_MALFORMED;
import static io.l4lb.hashing.decision.Verdict.DROP_NO_REAL;
import static io.l4lb.hashing.decision.Verdict.FORWARD_FLOW;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Steps 2 and 6: whose packet it is, and where it goes. */
class SchedulingTest {
    private static final FlowKey FLOW = new FlowKey(CLIENT4, 50000, VIP4, 443, TCP);
    private static final ServiceFlow OF_WEB = new ServiceFlow("web", FLOW);
    /** The flow of {@link #FLOW}, with ACK instead of SYN. */
    private static final String ACK = PlainFrames.ACK4_PADDED;

    private static String service(Services.Builder services, String frame) {
        return new Director(services.build())
                .decide(frame)
                .service()
                .map(Service::name)
                .orElse("none");
    }

    @Test
    void aFlowStaysAndASynGoesAnew() {
        Director director = offering(to(R4));
        director.flows.remember(OF_WEB, new Remembered("web", R6));
        assertEquals(FORWARD_FLOW, director.decide(ACK).verdict());
        assertEquals(Optional.of(R6), director.decide(ACK).real());
        assertTrue(director.decide(ACK).slot().isEmpty());
        director.assertLeaves(FORWARD_TABLE, PlainFrames.SYN4, PlainFrames.SYN4_OUT);
        assertEquals(Map.of(OF_WEB, new Remembered("web", R4)), director.flows.all());
        director.assertLeaves(FORWARD_FLOW, ACK, PlainFrames.ACK4_PADDED_OUT);
    }

    @Test
    void whatIsRememberedCountsWhileTheRealIsActiveForTheService() {
        Director director = offering(to(R4));
        director.flows.remember(OF_WEB, new Remembered("web", "gone"));
        director.assertLeaves(FORWARD_TABLE, ACK, PlainFrames.ACK4_PADDED_OUT);
        director.flows.remember(OF_WEB, new Remembered("other", R6));
        director.assertLeaves(FORWARD_TABLE, ACK, PlainFrames.ACK4_PADDED_OUT);
        assertEquals(Map.of(OF_WEB, new Remembered("web", R4)), director.flows.all());
    }

    @Test
    void withoutMemoryTheTableDecides() {
        PacketModel model = offering(to(R4)).model(Memory.none());
        for (int i = 0; i < 2; i++) {
            assertEquals(
                    FORWARD_TABLE, Director.decide(model, Director.bytes(ACK)).verdict());
        }
    }

    @Test
    void aSlotWithoutAnActiveRealDrops() {
        LookupTable nobody = Scheduler.MAGLEV.build(List.of(), 7, Director.SEED);
        PacketDecision decision =
                offering(Service.of("web", HashKey.FIVE_TUPLE, nobody, REALS)).decide(ACK);
        assertEquals(DROP_NO_REAL, decision.verdict());
        assertEquals(Optional.empty(), decision.real());
        assertEquals(
                LookupTable.slotOf(FLOW.hash(Director.SEED), 7), decision.slot().orElseThrow());
        offering(Service.of("web", HashKey.FIVE_TUPLE, Director.tableOf(R4), Map.of()))
                .assertVerdict(DROP_NO_REAL, ACK);
    }

    @Test
    void theSlotIsThatOfTheHash() {
        LookupTable table =
                Scheduler.MAGLEV.build(List.of(new WeightedReal(R4, 1), new WeightedReal(R6, 1)), 251, Director.SEED);
        Director director = offering(Service.of("web", HashKey.FIVE_TUPLE, table, REALS));
        for (int port = 0; port < 0x10000; port += 257) {
            FlowKey flow = new FlowKey(CLIENT4, port, VIP4, 443, TCP);
            PacketDecision decision = director.decide(patched(ACK, 34, "%04x".formatted(port)));
            assertEquals(table.realOf(flow.hash(Director.SEED)), decision.real());
            assertEquals(
                    LookupTable.slotOf(flow.hash(Director.SEED), 251),
                    decision.slot().orElseThrow());
        }
    }

    @Test
    void threeTupleFlowsOfAClientAreOne() {
        Director director = offering(named("web", HashKey.THREE_TUPLE, R4));
        director.assertVerdict(FORWARD_TABLE, ACK);
        director.assertVerdict(FORWARD_FLOW, patched(ACK, 34, "0001"));
        assertEquals(
                Map.of(new ServiceFlow("web", FLOW.threeTuple()), new Remembered("web", R4)), director.flows.all());
    }

    @Test
    void flowsOfTwoServicesAreTwoEvenIfTheirKeysAreEqual() {
        Director director = new Director(Services.builder()
                .add(VIP4, TCP, 443, named("https", HashKey.THREE_TUPLE, R4))
                .add(VIP4, TCP, 80, named("http", HashKey.THREE_TUPLE, R6))
                .build());
        String other = patched(ACK, 36, "0050");
        director.assertVerdict(FORWARD_TABLE, ACK);
        director.assertVerdict(FORWARD_TABLE, other);
        director.assertVerdict(FORWARD_FLOW, ACK);
        director.assertVerdict(FORWARD_FLOW, other);
        assertEquals(2, director.flows.all().size());
    }

    @Test
    void theNarrowestOfferWins() {
        Services.Builder services = Services.builder().addAnyProtocol(VIP4, named("any", HashKey.FIVE_TUPLE, R4));
        assertEquals("any", service(services, PlainFrames.SYN4));
        services.addAnyPort(VIP4, TCP, named("tcp", HashKey.FIVE_TUPLE, R4));
        assertEquals("tcp", service(services, PlainFrames.SYN4));
        assertEquals("any", service(services, PlainFrames.DNS4));
        services.add(VIP4, TCP, 443, named("https", HashKey.FIVE_TUPLE, R4));
        assertEquals("https", service(services, PlainFrames.SYN4));
        assertEquals("tcp", service(services, patched(PlainFrames.SYN4, 36, "0050")));
        assertEquals("none", service(services, PlainFrames.SYN6));
    }

    @Test
    void protocolsWithAndWithoutPorts() {
        Director director =
                new Director(Services.builder().addAnyProtocol(VIP4, to(R4)).build());
        for (int protocol : List.of(TCP, UDP, 33, 132, 136)) {
            String frame = patched(protocol == UDP ? PlainFrames.DNS4 : ACK, 23, "%02x".formatted(protocol));
            FlowKey key = director.decide(frame).key().orElseThrow();
            assertEquals(50000, key.sourcePort());
            assertEquals(protocol, key.protocol());
        }
        PacketDecision gre = director.decide(patched(ACK, 23, "2f"));
        assertEquals(Optional.of(new FlowKey(CLIENT4, 0, VIP4, 0, 47)), gre.key());
    }

    @Test
    void tooShortForTheirHeader() {
        Director director =
                new Director(Services.builder().addAnyProtocol(VIP4, to(R4)).build());
        // 24 bytes of IP: the ports and nothing else
        String shorter = patched(ACK, 16, "0018");
        for (String protocol : List.of("06", "11", "21", "84", "88")) {
            director.assertVerdict(DROP_MALFORMED, patched(shorter, 23, protocol));
            director.assertVerdict(
                    DROP_MALFORMED, patched(shorter, 23, protocol).substring(0, 2 * 35));
        }
        director.assertVerdict(FORWARD_TABLE, patched(shorter, 23, "2f"));
        director.assertVerdict(DROP_MALFORMED, patched(patched(ACK, 16, "0013"), 23, "2f"));
    }

    @Test
    void contradictingOffersAreRefused() {
        Services.Builder services = Services.builder().add(VIP4, TCP, 443, to(R4));
        assertThrows(IllegalArgumentException.class, () -> services.add(VIP4, TCP, 80, to(R4)), "two of one name");
        Service other = named("other", HashKey.FIVE_TUPLE, R4);
        assertThrows(IllegalArgumentException.class, () -> services.add(VIP4, TCP, 443, other));
        assertThrows(IllegalArgumentException.class, () -> services.add(VIP4, 256, 443, other));
        assertThrows(IllegalArgumentException.class, () -> services.add(VIP4, TCP, 65536, other));
        assertThrows(IllegalArgumentException.class, () -> services.addAnyPort(VIP4, -1, other));
    }
}
