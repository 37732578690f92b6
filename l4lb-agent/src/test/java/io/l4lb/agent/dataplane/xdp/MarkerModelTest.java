// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.decision.Memory;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.Verdict;
import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.IpProtocol;
import io.l4lb.test.Machine;
import io.l4lb.xdp.TestRun;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The marker gives each packet the mark of the real that the packet model finds without any memory of flows. It never
 * drops, and changes no byte. {@code -Dl4lb.packets} and {@code -Dl4lb.seed} as for the balancer.
 */
@Tag("kernel")
final class MarkerModelTest {
    private static final int TC_ACT_UNSPEC = -1;
    /** With these lengths BPF_PROG_TEST_RUN takes a frame as a socket buffer: a whole IP header, in one page. */
    private static final int SHORTEST = 14 + 40;

    private static final int LONGEST = 3500;
    private static final int PACKETS = Integer.getInteger("l4lb.packets", 20_000);
    private static final long SEED = Long.getLong("l4lb.seed", 1L);
    private static final int SCENARIO = Math.min(Math.max(2000, PACKETS / 50), 20_000);
    private static final int CHANGE = SCENARIO / 20;

    private final Map<Verdict, Integer> marked = new EnumMap<>(Verdict.class);

    @BeforeEach
    void needBpf() {
        Machine.needBpf();
    }

    @Test
    void packetsGetTheMarkOfTheModelsReal() {
        assertEquals("", difference(ReferenceModel.RIGHT).orElse(""));
        assertTrue(marked.getOrDefault(Verdict.FORWARD_TABLE, 0) > PACKETS / 20, marked.toString());
        assertTrue(marked.getOrDefault(Verdict.FORWARD_SERVER_ID, 0) > PACKETS / 200, marked.toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"OTHER_SEED", "ANY_PORT_IS_PORT_0"})
    void aWrongModelIsCaught(ReferenceModel wrong) {
        assertTrue(difference(wrong).isPresent());
    }

    private Optional<String> difference(ReferenceModel reference) {
        Random random = new Random(SEED);
        for (int done = 0; done < PACKETS; done += SCENARIO) {
            Scenario scenario = new Scenario(random);
            try (LoadedMarker marker = new LoadedMarker(scenario.settings().seed())) {
                scenario.programs().values().forEach(marker::install);
                Optional<String> difference = difference(reference, scenario, marker, random);
                if (difference.isPresent()) {
                    return difference.map(text -> "seed " + SEED + ": " + text + "\n  " + scenario);
                }
            }
        }
        return Optional.empty();
    }

    private Optional<String> difference(
            ReferenceModel reference, Scenario scenario, LoadedMarker marker, Random random) {
        PacketGenerator generator = new PacketGenerator(random, scenario);
        PacketModel model = reference.of(scenario, Memory.none(), Memory.none());
        for (int i = 1; i <= SCENARIO; i++) {
            byte[] frame = generator.next();
            Optional<String> difference = frame.length < SHORTEST || frame.length > LONGEST
                    ? Optional.empty()
                    : difference(model, marker, frame);
            if (difference.isPresent()) {
                String text = "\n  " + generator.kind() + " number " + i + "\n  frame   " + FrameText.of(frame);
                return difference.map(said -> said + text);
            }
            if (i % CHANGE == 0) {
                Scenario.Change change = scenario.change();
                change.program().ifPresentOrElse(marker::install, () -> marker.remove(change.key()));
                model = reference.of(scenario, Memory.none(), Memory.none());
            }
        }
        return Optional.empty();
    }

    private Optional<String> difference(PacketModel model, LoadedMarker marker, byte[] frame) {
        PacketDecision decision = model.decide(frame);
        TestRun run = marker.run(frame);
        if (run.returnValue() != TC_ACT_UNSPEC || !Arrays.equals(frame, run.packet())) {
            return Optional.of(
                    "returns " + run.returnValue() + ", or the frame is another one; the model: " + decision);
        }
        String found = marker.meaning(LoadedMarker.mark(run));
        if (isLeftOpen(decision, frame)) {
            return Optional.empty();
        }
        String wanted = wanted(decision, frame);
        if (!wanted.equals("unmarked")) {
            marked.merge(decision.verdict(), 1, Integer::sum);
        }
        return wanted.equals(found)
                ? Optional.empty()
                : Optional.of("is " + found + ", should be " + wanted + "; the model: " + decision);
    }

    /**
     * The kernel drops what is malformed before IPVS sees it; what routers tell of tunnels is no matter of a marker, nor
     * are errors about ICMP messages, of which IPVS forwards none.
     */
    private static boolean isLeftOpen(PacketDecision decision, byte[] frame) {
        if (decision.verdict() == Verdict.DROP_MALFORMED || decision.verdict() == Verdict.ANSWER_PATH_MTU) {
            return true;
        }
        return decision.key()
                .filter(key -> icmp(frame).filter(IcmpHeader::reportsLoss).isPresent()
                        && key.protocol() == ip(frame).protocol())
                .isPresent();
    }

    private static IpHeader ip(byte[] frame) {
        Ethernet ethernet = Ethernet.read(frame).orElseThrow();
        return IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length)
                .orElseThrow();
    }

    /** Of a whole packet. */
    private static Optional<IcmpHeader> icmp(byte[] frame) {
        IpHeader ip = ip(frame);
        return ip.fragment().isPresent() ? Optional.empty() : IcmpHeader.read(frame, ip, frame.length);
    }

    private static String wanted(PacketDecision decision, byte[] frame) {
        return decision.real()
                .filter(real -> isMarked(decision.key().orElseThrow(), frame))
                .map(real -> decision.service().orElseThrow().name() + " " + real)
                .orElse("unmarked");
    }

    /** IPVS puts fragments together itself, and forwards no ICMP but errors about its connections. */
    private static boolean isMarked(FlowKey key, byte[] frame) {
        IpHeader ip = ip(frame);
        boolean later = ip.fragment().filter(fragment -> !fragment.isFirst()).isPresent();
        boolean icmp = ip.protocol() == (ip.etherType() == Ethernet.IPV4 ? IpProtocol.ICMP : IpProtocol.ICMPV6);
        return (icmp && ip.fragment().isEmpty()) ? key.protocol() != ip.protocol() : !later;
    }
}
