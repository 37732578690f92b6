// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Captures;
import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.Event;
import io.l4lb.agent.dataplane.FlowTable;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.Statistics;
import io.l4lb.agent.model.Prefix;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Cpus;
import io.l4lb.xdp.UpdateMode;
import io.l4lb.xdp.XdpMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The XDP balancer on the interfaces of this network namespace that the configuration names. For the reconcile thread alone. */
public final class XdpDataplane implements Dataplane {
    private static final System.Logger LOG = System.getLogger(XdpDataplane.class.getName());

    private final XdpSection xdp;
    private final HashSeed seed;
    private final Attachment attachment;
    private final RouteTable routes;
    private final Constants constants;
    private NextHops nextHops;
    private Set<Integer> ingress;
    private final ServiceMaps services;
    private final CounterMaps counters;
    private int sampled;
    private Map<Integer, ByteBuffer> targets = new HashMap<>();
    private Map<Integer, ProbePath> probes = Map.of();

    private XdpDataplane(XdpSection xdp, HashSeed seed, Attachment attachment, RouteTable routes, Constants constants) {
        this.xdp = xdp;
        this.seed = seed;
        this.attachment = attachment;
        this.routes = routes;
        this.constants = constants;
        Settings found = Settings.decode(
                attachment.map("settings").lookup(Word.encode(0)).orElseThrow());
        this.ingress = attachment.indexes();
        this.nextHops = new NextHops(routes, rules(), found.ipv4(), found.ipv6());
        this.services =
                ServiceMaps.of(attachment::map, new Flows(attachment.map("flows"), attachment.map("fragments")));
        this.counters = new CounterMaps(
                attachment.map("verdicts"), attachment.map("service_verdicts"), attachment.map("events"));
    }

    private NextHopRules rules() {
        XdpSection.Tunnels tunnels = xdp.tunnels();
        return new NextHopRules(
                ingress,
                attachment.isOfOne(),
                tunnels.nextHop() == XdpSection.NextHop.FIB,
                tunnels.source4().map(Prefix::address),
                tunnels.source6().map(Prefix::address));
    }

    static AttachmentPlan plan(XdpSection xdp, HashSeed seed) {
        XdpSection.FlowTable flows = xdp.flowTable();
        return new AttachmentPlan(
                xdp.placement().interfaces(),
                XdpMode.valueOf(xdp.mode().name()),
                xdp.pinDir(),
                new AttachmentPlan.FlowTable(
                        flows.size(),
                        flows.forgetting() == XdpSection.Forgetting.SHARED,
                        flows.onUpgrade() == XdpSection.OnUpgrade.MIGRATE,
                        seed),
                xdp.placement().chain(),
                Constants.of(xdp, Cpus.possible(), Jiffies.read()).encode());
    }

    /**
     * Loads and attaches the balancer, or takes over the one that is there, which goes on forwarding all the while.
     *
     * @param seed of the flow hash
     * @throws DataplaneException if none of the interfaces is there, or the kernel refuses
     */
    public static XdpDataplane open(XdpSection xdp, HashSeed seed) {
        try {
            return open(xdp, seed, plan(xdp, seed));
        } catch (BpfException e) {
            throw Kernel.refused(e);
        }
    }

    static XdpDataplane open(XdpSection xdp, HashSeed seed, AttachmentPlan plan) {
        RouteTable routes = RouteTable.open();
        try {
            Attachment attachment = Attachment.load(plan);
            try {
                return new XdpDataplane(xdp, seed, attachment, routes, Constants.decode(plan.constants())).attached();
            } catch (DataplaneException | BpfException e) {
                attachment.undo();
                throw e;
            }
        } catch (DataplaneException | BpfException | NetlinkException e) {
            routes.close();
            throw Kernel.refused(e);
        }
    }

    private XdpDataplane attached() {
        try {
            writeSettings();
            attachment.attach();
            return this;
        } catch (DataplaneException | BpfException e) {
            counters.close();
            throw e;
        }
    }

    /**
     * What {@link Dataplane#obstacle} will say once it is open.
     *
     * @param reals of all services
     */
    public static Optional<String> obstacle(XdpSection xdp, Set<InetAddress> reals) {
        Set<Integer> ingress = new Presence(xdp.placement().interfaces()).indexes();
        boolean fib = xdp.nextHop() == XdpSection.NextHop.FIB;
        NextHopRules rules = new NextHopRules(ingress, fib, Optional.empty(), Optional.empty());
        try (RouteTable routes = RouteTable.open()) {
            return guarded(() -> new NextHops(routes, rules, NextHop.UNKNOWN, NextHop.UNKNOWN).obstacle(reals));
        }
    }

    @Override
    public Optional<String> obstacle(Set<InetAddress> reals) {
        return guarded(() -> nextHops.obstacle(reals));
    }

    @Override
    public Info info() {
        List<String> notes = new ArrayList<>(attachment.notes());
        notes.addAll(nextHops.notes());
        return new Info("xdp", attachment.interfaces(), attachment.mode(), attachment.adopted(), notes);
    }

    @Override
    public void keepAttached() {
        guarded(attachment::keepAttached);
        Set<Integer> now = attachment.indexes();
        if (!now.equals(ingress)) {
            ingress = now;
            nextHops = new NextHops(routes, rules(), nextHops.ipv4(), nextHops.ipv6());
        }
    }

    @Override
    public Map<ServiceKey, ObservedService> observe() {
        return guarded(() -> new LinkedHashMap<>(services.observe()));
    }

    @Override
    public ObservedService install(ServiceProgram program) {
        return guarded(() -> services.install(program));
    }

    @Override
    public void remove(Set<ServiceKey> keys) {
        guarded(() -> {
            Set<Integer> ids = new HashSet<>(services.byId().keySet());
            services.remove(keys);
            ids.removeAll(services.byId().keySet());
            if (!ids.isEmpty()) {
                counters.forget(ids);
            }
            return keys;
        });
    }

    @Override
    public void probes(Map<Integer, ProbePath> paths) {
        probes = Map.copyOf(paths);
        guarded(() -> {
            writeProbes();
            return paths;
        });
    }

    /** The map holds the predecessor's probes at first; they end as it did. */
    private void writeProbes() {
        BpfMap map = attachment.map("probes");
        Map<Integer, ByteBuffer> wanted = new LinkedHashMap<>();
        Optional<InetAddress> source4 = nextHops.ipv4().source();
        Optional<InetAddress> source6 = nextHops.ipv6().source();
        probes.forEach((mark, path) -> {
            int egress = nextHops.interfaceTo(path.real()).orElse(0);
            wanted.put(mark, new ProbeTargetValue(path, source4, source6, egress).encode());
        });
        for (byte[] key : map.keys()) {
            if (!wanted.containsKey(Word.decode(ByteBuffer.wrap(key)))) {
                map.delete(ByteBuffer.wrap(key));
            }
        }
        wanted.forEach((mark, target) -> {
            if (!target.equals(targets.get(mark))) {
                map.update(Word.encode(mark), target.duplicate(), UpdateMode.ANY);
            }
        });
        targets = wanted;
    }

    @Override
    public Map<InetAddress, String> follow(Set<InetAddress> reals, Set<InetAddress> vips) {
        return guarded(() -> {
            Map<InetAddress, String> problems = nextHops.follow(reals, vips);
            writeSettings();
            writeProbes();
            return problems;
        });
    }

    private void writeSettings() {
        ByteBuffer settings = new Settings(seed, nextHops.ipv4(), nextHops.ipv6(), xdp.mtu())
                .encode()
                .putInt(Settings.CAPTURE, sampled);
        BpfMap map = attachment.map("settings");
        if (!map.lookup(Word.encode(0)).equals(Optional.of(settings))) {
            map.update(Word.encode(0), settings, UpdateMode.ANY);
        }
    }

    @Override
    public Map<InetAddress, Counter> counters(ServiceKey key) {
        return guarded(() -> services.counters(key));
    }

    @Override
    public Map<String, Long> verdicts() {
        return guarded(() -> {
            Map<String, Long> packets = new LinkedHashMap<>();
            counters.verdicts().forEach((verdict, counter) -> packets.put(verdict, counter.packets()));
            return packets;
        });
    }

    @Override
    public Statistics statistics() {
        return guarded(() -> counters.statistics(services.byId()));
    }

    @Override
    public FlowTable flowTable() {
        return guarded(() -> new FlowEntries(attachment.map("flows"), services.known(), constants, System::nanoTime));
    }

    @Override
    public Captures captures() {
        return guarded(() -> new CaptureRing(attachment.map("captures"), () -> counters.count(Event.CAPTURE_LOST)));
    }

    @Override
    public void sample(int every) {
        sampled = every;
        guarded(() -> {
            writeSettings();
            return every;
        });
    }

    @Override
    public Optional<ServiceProgram> installed(ServiceKey key) {
        return guarded(() -> services.installed(key));
    }

    @Override
    public io.l4lb.hashing.decision.Settings settings() {
        return new Settings(seed, nextHops.ipv4(), nextHops.ipv6(), xdp.mtu()).forModel(ingress, constants);
    }

    @Override
    public Optional<InetAddress> remembered(ServiceKey service, FlowKey flow) {
        return guarded(() -> services.remembered(
                service, flow, entry -> entry.counts(constants.timeouts(), Ticks.at(System.nanoTime()))));
    }

    private void stopSampling() {
        try {
            sample(0);
        } catch (DataplaneException e) {
            LOG.log(System.Logger.Level.WARNING, "packets are copied until the next agent starts: {0}", e.getMessage());
        }
    }

    private static <T> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (BpfException | NetlinkException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public void close() {
        if (sampled != 0) {
            stopSampling();
        }
        counters.close();
        attachment.close();
        routes.close();
    }
}
