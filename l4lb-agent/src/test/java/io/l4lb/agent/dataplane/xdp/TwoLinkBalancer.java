// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.UpdateMode;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The balancer on some interfaces of a {@link TwoLinkLab}, made and used in the director's namespace. */
final class TwoLinkBalancer implements AutoCloseable {
    private static final String CONSTANTS = ".rodata.constants";
    private static final int MTU = 1500;

    private final BpfObject object = BpfObject.open("balancer", BpfProgram.BALANCER.object());
    private final List<XdpAttachment> attached = new ArrayList<>();
    private final NextHops hops;

    TwoLinkBalancer(RouteTable routes, NextHopRules rules, int sourceBits) {
        Constants.Features features = new Constants.Features(true, false, rules.fib(), false, 0);
        Constants.Timeouts forGood = new Constants.Timeouts(0, 0, 0, 0, 0);
        byte[] constants = new Constants(features, sourceBits, sourceBits, 0, forGood, Jiffies.UNKNOWN)
                .encode()
                .array();
        object.maxEntries("flows", 1024).maxEntries("fragments", 1024);
        object.constants(CONSTANTS, Arrays.copyOf(constants, object.constants(CONSTANTS).length));
        object.load();
        hops = new NextHops(routes, rules, NextHop.UNKNOWN, NextHop.UNKNOWN);
        rules.ingress().forEach(this::attach);
    }

    private void attach(int index) {
        try (ProgramHandle program = object.program("balancer")) {
            attached.add(Links.attachXdp(program, index, XdpMode.NATIVE));
        }
    }

    /** Sends all that comes to the service to one real. */
    void install(ServiceKey key, InetAddress real) {
        List<WeightedReal> reals = List.of(new WeightedReal(real.getHostAddress(), 1));
        try (BpfMap services = object.map("services");
                BpfMap generation = object.map("service_generation");
                BpfMap tables = object.map("tables");
                BpfMap values = object.map("reals");
                BpfMap counters = object.map("real_counters");
                BpfMap vips = object.map("vips");
                BpfMap filter = object.map("vip_filter");
                BpfMap serverIds = object.map("server_ids");
                BpfMap flows = object.map("flows");
                BpfMap fragments = object.map("fragments")) {
            new ServiceMaps(
                            new ServiceEntries(services, generation),
                            new ServiceMaps.Maps(tables, values, counters),
                            new Vips(vips, filter),
                            new ServerIds(serverIds),
                            new Flows(flows, fragments))
                    .install(new ServiceProgram(
                            key,
                            PacketKey.FIVE_TUPLE,
                            Forwarding.IPIP,
                            Scheduler.MAGLEV.build(reals, 7, Samples.SEED),
                            Set.of(real)));
        }
    }

    /** Asks the kernel for the way to the reals, and writes it down as the agent does. */
    Map<InetAddress, String> follow(InetAddress... reals) {
        Map<InetAddress, String> problems = hops.follow(Set.of(reals), Set.of());
        try (BpfMap settings = object.map("settings")) {
            Settings value = new Settings(Samples.SEED, hops.ipv4(), hops.ipv6(), MTU);
            settings.update(Word.encode(0), value.encode(), UpdateMode.ANY);
        }
        return problems;
    }

    /** Packets with that verdict. */
    long packets(String verdict) {
        try (BpfMap verdicts = object.map("verdicts")) {
            return PerCpuCounter.read(verdicts, Verdicts.NAMES.indexOf(verdict)).packets();
        }
    }

    @Override
    public void close() {
        attached.forEach(XdpAttachment::close);
        object.close();
    }
}
