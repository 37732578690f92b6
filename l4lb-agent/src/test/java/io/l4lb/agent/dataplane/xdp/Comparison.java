// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.decision.Action;
import io.l4lb.hashing.decision.InMemory;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TestRun;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The program that is attached in a lab, beside the packet model: both have the same services and see the same frames. */
final class Comparison implements AutoCloseable {
    private static final int FRAME_END = 14;

    private final XdpDataplane dataplane;
    private final ProgramHandle program;
    private final BpfMap settings;
    private final BpfMap verdicts;
    private final BpfMap services;
    private final BpfMap flows;
    private final BpfMap reals;
    private final long[] counts = new long[Verdicts.NAMES.size()];

    Comparison(DirectorLab lab) {
        dataplane = lab.open();
        program = ProgramHandle.byId(
                        Links.attachedXdp(DirectorLab.index()).orElseThrow().programId())
                .orElseThrow();
        settings = BpfMap.openPinned(lab.pin("settings")).orElseThrow();
        verdicts = BpfMap.openPinned(lab.pin("verdicts")).orElseThrow();
        services = BpfMap.openPinned(lab.pin("services")).orElseThrow();
        flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow();
        reals = BpfMap.openPinned(lab.pin("reals")).orElseThrow();
        lab.director("link set d0 down"); // packets of the network itself would be counted too
        Arrays.setAll(counts, verdict -> PerCpuCounter.read(verdicts, verdict).packets());
    }

    /** Packets by verdict so far, in the order of their numbers. */
    Map<String, Long> counts() {
        return dataplane.verdicts();
    }

    /** Begins a scenario, without any flow. */
    void begin(Scenario scenario) {
        flows.keys().forEach(key -> flows.delete(ByteBuffer.wrap(key)));
        settings.update(Word.encode(0), scenario.settings().encode(), UpdateMode.ANY);
        scenario.programs().values().forEach(this::install);
    }

    /** Slots of reals that are not active name nobody in the kernel: its digest may be another. */
    void install(ServiceProgram service) {
        ObservedService done = dataplane.install(service);
        assertEquals(service.packetKey(), done.packetKey());
        assertEquals(service.active(), done.active());
    }

    /** Runs the program on a frame; empty if it did what the model decided. */
    Optional<String> difference(byte[] frame, PacketDecision decision) {
        TestRun run = program.testRun(frame);
        int expected = Verdicts.NAMES.indexOf(decision.verdict().text());
        long packets = expected < 0 ? 0 : PerCpuCounter.read(verdicts, expected).packets();
        if (expected < 0 || packets != counts[expected] + 1) {
            return Optional.of("the program says " + surprise() + ", the model " + decision);
        }
        counts[expected] = packets;
        if (run.returnValue() != xdp(decision.verdict().action())) {
            return Optional.of("the program returns " + run.returnValue() + ", the model says " + decision);
        }
        byte[] wanted = decision.verdict().action() == Action.PASS ? frame : decision.frame();
        return decision.verdict().action() == Action.DROP || Arrays.equals(wanted, run.packet())
                ? Optional.empty()
                : Optional.of(bytesDiffer(decision, wanted, run.packet()));
    }

    private static int xdp(Action action) {
        return switch (action) {
            case DROP -> 1;
            case PASS -> 2;
            case TRANSMIT -> 3;
        };
    }

    private static String bytesDiffer(PacketDecision decision, byte[] wanted, byte[] sent) {
        int at = Arrays.mismatch(wanted, sent);
        String where = at < FRAME_END ? "the Ethernet header" : "byte " + at;
        return "both say " + decision + ", but the frames that leave differ in " + where + "\n  model   "
                + HexFormat.of().formatHex(wanted) + "\n  program "
                + HexFormat.of().formatHex(sent);
    }

    /** The verdict whose counter has moved. */
    private String surprise() {
        for (int i = 0; i < counts.length; i++) {
            if (PerCpuCounter.read(verdicts, i).packets() != counts[i]) {
                return Verdicts.NAMES.get(i);
            }
        }
        return "nothing";
    }

    /** Flows that one of both remembers otherwise than the other; empty: none. */
    Map<FlowKey, String> flowsThatDiffer(InMemory<FlowKey> model) {
        Map<FlowKey, String> differ = new HashMap<>();
        model.all().forEach((flow, real) -> differ.put(flow, real.real()));
        Map<Integer, InetAddress> vips = vips();
        for (byte[] key : flows.keys()) {
            int number = Word.decode(flows.lookup(ByteBuffer.wrap(key)).orElseThrow());
            RealValue real = RealValue.decode(reals.lookup(Word.encode(number)).orElseThrow());
            String identity = Real.identity(real.address());
            FlowName name = FlowName.decode(key);
            FlowKey flow = name.flowKey(Objects.requireNonNull(vips.get(name.service())));
            if (!differ.remove(flow, identity)) {
                differ.merge(flow, identity, (mine, other) -> other + " in the kernel, not " + mine);
            }
        }
        return differ;
    }

    /** The VIP of each service, by its id. */
    private Map<Integer, InetAddress> vips() {
        Map<Integer, InetAddress> vips = new HashMap<>();
        for (byte[] key : services.keys()) {
            ServiceValue service =
                    ServiceValue.decode(services.lookup(ByteBuffer.wrap(key)).orElseThrow());
            vips.put(service.id(), KeyLayout.decode(key).orElseThrow().vip());
        }
        return vips;
    }

    @Override
    public void close() {
        settings.close();
        verdicts.close();
        services.close();
        flows.close();
        reals.close();
        program.close();
        dataplane.close();
    }
}
