// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.decision.Action;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.TestRun;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The balancer beside the packet model: both have the same services and see the same frames. */
final class Comparison implements AutoCloseable {
    private static final int LINK_BYTES = 14;

    private final LoadedBalancer balancer;
    private final Settings settings;
    private final BpfMap verdicts;
    private final long[] counts = new long[Verdicts.NAMES.size()];
    private final Tally tally = new Tally();

    Comparison(Scenario scenario) {
        balancer = new LoadedBalancer(scenario);
        settings = scenario.settings();
        verdicts = balancer.map("verdicts");
    }

    void make(Scenario.Change change) {
        balancer.make(change);
    }

    /**
     * Runs the program on a frame; empty if it did what the model decided.
     *
     * @param leaves the frame that the model sends
     */
    Optional<String> difference(byte[] frame, PacketDecision decision, byte[] leaves) {
        TestRun run = balancer.run(frame);
        tally.add(frame, decision);
        int expected = Verdicts.NAMES.indexOf(decision.verdict().text());
        if (expected < 0 || packets(expected) != counts[expected] + 1) {
            return Optional.of("the program says " + surprise() + ", the model " + decision);
        }
        counts[expected]++;
        if (run.returnValue() != xdp(decision)) {
            return Optional.of("the program returns " + run.returnValue() + ", the model says " + decision);
        }
        byte[] wanted = decision.verdict().action() == Action.PASS ? frame : leaves;
        return decision.verdict().action() == Action.DROP || Arrays.equals(wanted, run.packet())
                ? Optional.empty()
                : Optional.of(bytesDiffer(decision, wanted, run.packet()));
    }

    private int xdp(PacketDecision decision) {
        return switch (decision.verdict().action()) {
            case DROP -> 1;
            case PASS -> 2;
            case TRANSMIT -> leavesElsewhere(decision) ? 4 : 3;
        };
    }

    private boolean leavesElsewhere(PacketDecision decision) {
        if (!Tally.isForwarded(decision.verdict())) {
            return false;
        }
        boolean ipv4 = decision.real().orElseThrow().indexOf(':') < 0;
        return (ipv4 ? settings.ipv4() : settings.ipv6())
                .egress()
                .filter(egress -> egress.interfaceIndex() != Scenario.INGRESS)
                .isPresent();
    }

    private static String bytesDiffer(PacketDecision decision, byte[] wanted, byte[] sent) {
        int at = Arrays.mismatch(wanted, sent);
        String where = at < LINK_BYTES ? "the Ethernet header" : "byte " + at;
        return "both say " + decision + ", but the frames that leave differ in " + where + "\n  model   "
                + HexFormat.of().formatHex(wanted) + "\n  program "
                + HexFormat.of().formatHex(sent);
    }

    private long packets(int verdict) {
        return PerCpuCounter.read(verdicts, verdict).packets();
    }

    /** The verdict whose counter has moved. */
    private String surprise() {
        for (int i = 0; i < counts.length; i++) {
            if (packets(i) != counts[i]) {
                return Verdicts.NAMES.get(i);
            }
        }
        return "nothing";
    }

    /** Whatever one of both remembers or has counted otherwise than the other; empty: nothing. */
    Optional<String> memoriesDiffer(ModelMemories model) {
        Map<String, String> wanted = new TreeMap<>(model.text(settings.seed()));
        tally.counters().forEach((what, counter) -> wanted.put(what, counter.toString()));
        Map<String, String> found = new TreeMap<>();
        flows(found);
        fragments(found);
        balancer.counted().counters().forEach((what, counter) -> found.put(what, counter.toString()));
        Map<String, String> differ = new TreeMap<>();
        wanted.forEach((what, value) -> {
            if (!value.equals(found.get(what))) {
                differ.put(what, value + " in the model, " + found.get(what) + " in the kernel");
            }
        });
        found.forEach((what, value) -> {
            if (!wanted.containsKey(what)) {
                differ.put(what, value + " in the kernel alone");
            }
        });
        return differ.isEmpty() ? Optional.empty() : Optional.of("what is remembered or counted differs: " + differ);
    }

    private void flows(Map<String, String> found) {
        BpfMap flows = balancer.map("flows");
        for (byte[] key : flows.keys()) {
            FlowName name = FlowName.decode(key);
            FlowValue value =
                    FlowValue.decode(flows.lookup(ByteBuffer.wrap(key)).orElseThrow());
            ServiceKey service = balancer.service(name.service());
            RealValue real = balancer.real(value.real());
            if (!balancer.isThere(name.service())) {
                continue;
            }
            found.put(
                    ModelMemories.flow(service.toString(), name.flowKey(service.vip())),
                    ModelMemories.flow(Real.identity(real.address()), value.entropy()));
        }
    }

    private void fragments(Map<String, String> found) {
        BpfMap fragments = balancer.map("fragments");
        for (byte[] bytes : fragments.keys()) {
            ByteBuffer key = ByteBuffer.wrap(bytes); // the id as it lies in the header
            InetAddress source = MappedAddress.get(key);
            InetAddress vip = MappedAddress.get(key);
            long id = vip instanceof Inet4Address
                    ? Short.toUnsignedInt(key.getShort(32))
                    : Integer.toUnsignedLong(key.getInt(32));
            int protocol = Byte.toUnsignedInt(key.get(36));
            ByteBuffer value =
                    fragments.lookup(ByteBuffer.wrap(bytes)).orElseThrow().order(ByteOrder.nativeOrder());
            RealValue real = balancer.real(value.getInt(0));
            if (!balancer.isThere(value.getInt(4))) {
                continue;
            }
            found.put(
                    ModelMemories.fragment(source, vip, protocol, id),
                    balancer.service(value.getInt(4)) + ", " + Real.identity(real.address()));
        }
    }

    @Override
    public void close() {
        balancer.close();
    }
}
