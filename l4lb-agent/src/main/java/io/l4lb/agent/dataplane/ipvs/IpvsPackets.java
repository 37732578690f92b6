// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ModelServices;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Fate;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.decision.Memory;
import io.l4lb.hashing.decision.NextHops;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.Service;
import io.l4lb.hashing.decision.Services;
import io.l4lb.hashing.decision.Settings;
import io.l4lb.hashing.decision.Switches;
import io.l4lb.hashing.decision.Tunnel;
import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.Tcp;
import io.l4lb.ipvs.VirtualAddress;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of packets: whose they are, whether IPVS has a connection of their flow, and where they go if it has none. For
 * the reconcile thread alone.
 */
public final class IpvsPackets {
    /** Others have no conn_schedule in the kernel that would take them. */
    private static final Set<Integer> SCHEDULED = Set.of(VirtualAddress.TCP, VirtualAddress.UDP, VirtualAddress.SCTP);

    /** It only finds out whose packets are. */
    private static final LookupTable NO_TABLE = LookupTable.of(List.of(), new int[] {LookupTable.NO_REAL});

    private static final int LARGEST_MTU = 0xffff;

    private final IpvsParts parts;
    private final Traffic traffic;
    private final Settings settings;
    private final Map<String, ServiceKey> keys = new HashMap<>();

    IpvsPackets(IpvsParts parts, Traffic traffic, HashSeed seed, Set<ServiceKey> services) {
        this.parts = parts;
        this.traffic = traffic;
        this.settings = settings(seed);
        services.forEach(key -> keys.put(key.toString(), key));
    }

    /** Tunnels and next hops are the kernel's: the model chooses, and never gets as far as a packet that leaves. */
    static Settings settings(HashSeed seed) {
        return new Settings(
                seed, new Tunnel(LARGEST_MTU, null, null), new NextHops(null, null), new Switches(true, false, 0));
    }

    /**
     * Decides, and changes nothing.
     *
     * @param frame any bytes, from the Ethernet header on
     */
    public IpvsDecision decide(byte[] frame) {
        PacketDecision whose = whose(frame);
        Optional<ServiceKey> key = whose.service().map(service -> keys.get(service.name()));
        Optional<FlowKey> flow = whose.key();
        if (key.isEmpty() || flow.isEmpty()) {
            return IpvsDecision.without(whose, key);
        }
        Optional<NewFlows> flows = newFlows(key.get());
        if (flows.isEmpty()) {
            return new IpvsDecision(
                    Fate.PASS, key, flow, HashKey.FIVE_TUPLE, Choice.nowhere("its service has just gone"));
        }
        return decide(frame, key.get(), flow.get(), flows.get());
    }

    /**
     * The same if a real of its service, which is marked, were down.
     *
     * @param instead the service without that real
     */
    public IpvsDecision decide(byte[] frame, IpvsDecision decision, ServiceProgram instead, InetAddress lost) {
        Set<InetAddress> left = parts.marks().packetReals();
        left.remove(lost);
        return decide(frame, instead.key(), decision.flow().orElseThrow(), new MarkedFlows(instead, settings, left));
    }

    private PacketDecision whose(byte[] frame) {
        Services.Builder services = Services.builder();
        keys.forEach((name, key) ->
                ModelServices.offer(services, key, Service.of(name, HashKey.FIVE_TUPLE, NO_TABLE, Map.of())));
        return new PacketModel(services.build(), settings, Memory.none(), Memory.none()).decide(frame);
    }

    private Optional<NewFlows> newFlows(ServiceKey key) {
        return marked(key)
                .<NewFlows>map(program ->
                        new MarkedFlows(program, settings, parts.marks().packetReals()))
                .or(() -> parts.services().installed(key).map(KernelFlows::new));
    }

    /** The service, if our program marks its packets. */
    public Optional<ServiceProgram> marked(ServiceKey key) {
        return parts.marker().flatMap(marker -> marker.installed(key));
    }

    private IpvsDecision decide(byte[] frame, ServiceKey key, FlowKey flow, NewFlows flows) {
        if (!SCHEDULED.contains(flow.protocol())) {
            Choice nowhere = Choice.nowhere("IPVS forwards TCP, UDP and SCTP alone; the director itself gets it");
            return new IpvsDecision(Fate.PASS, Optional.of(key), Optional.of(flow), flows.hashKey(), nowhere);
        }
        Traffic.Search search = traffic.find(flow);
        boolean begins = begins(frame);
        Choice choice = search.found()
                .filter(connection -> !(begins && connection.isOver()) && flows.keeps(connection.real(), begins))
                .map(connection -> Choice.of(
                        connection.real(), "IPVS has a connection of its flow, in state " + connection.state()))
                .orElseGet(() -> flows.choose(frame, flow));
        if (search.found().isEmpty() && !search.all()) {
            choice = choice.because(choice.reason() + "; there are so many connections that only " + Traffic.SEARCHED
                    + " were looked at");
        }
        Fate fate = choice.real().isPresent() || flows.isKernels() ? Fate.FORWARD : flows.withoutReal();
        return new IpvsDecision(fate, Optional.of(key), Optional.of(flow), flows.hashKey(), choice);
    }

    private static boolean begins(byte[] frame) {
        return Ethernet.read(frame)
                .flatMap(ethernet -> IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length))
                .filter(ip -> ip.protocol() == VirtualAddress.TCP)
                .flatMap(ip -> Tcp.read(frame, ip.transportAt(), frame.length))
                .filter(Tcp::starts)
                .isPresent();
    }

    /**
     * What would change without a real, where the kernel has a table.
     *
     * @param decision of the frame, with a real
     * @return empty: no table is known, or it is ours
     */
    public Optional<IpvsLoss> loss(byte[] frame, IpvsDecision decision) {
        ServiceKey key = decision.service().orElseThrow();
        InetAddress real = decision.choice().real().orElseThrow();
        if (marked(key).isPresent()) {
            return Optional.empty();
        }
        return parts.services()
                .installed(key)
                .flatMap(service -> new KernelFlows(service).without(real))
                .map(loss -> new IpvsLoss(
                        decide(frame, key, decision.flow().orElseThrow(), loss.after())
                                .choice(),
                        loss.moved(),
                        loss.others(),
                        loss.after().service().tableSize()));
    }
}
