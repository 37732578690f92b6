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
import io.l4lb.agent.model.XdpSection;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.Link;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The XDP balancer on one interface of this network namespace. For the reconcile thread alone. */
public final class XdpDataplane implements Dataplane {
    private static final System.Logger LOG = System.getLogger(XdpDataplane.class.getName());

    private final XdpSection xdp;
    private final HashSeed seed;
    private final Attachment attachment;
    private final RouteTable routes;
    private NextHops nextHops;
    private int interfaceIndex;
    private final ServiceMaps services;
    private final CounterMaps counters;
    private int sampled;
    private Map<Integer, ByteBuffer> targets = new HashMap<>();
    private Map<Integer, ProbePath> probes = Map.of();

    private XdpDataplane(XdpSection xdp, HashSeed seed, Attachment attachment, RouteTable routes, int index) {
        this.xdp = xdp;
        this.seed = seed;
        this.attachment = attachment;
        this.routes = routes;
        Settings found = Settings.decode(
                attachment.map("settings").lookup(Word.encode(0)).orElseThrow());
        this.interfaceIndex = index;
        this.nextHops = new NextHops(routes, index, found.ipv4(), found.ipv6());
        ServiceMaps.Maps maps = new ServiceMaps.Maps(
                attachment.map("services"),
                attachment.map("tables"),
                attachment.map("reals"),
                attachment.map("real_counters"));
        this.services = new ServiceMaps(
                maps,
                new Vips(attachment.map("vips"), attachment.map("vip_filter")),
                new ServerIds(attachment.map("server_ids")),
                new Flows(attachment.map("flows"), attachment.map("fragments")));
        this.counters = new CounterMaps(
                attachment.map("verdicts"), attachment.map("service_verdicts"), attachment.map("events"));
    }

    /**
     * Loads and attaches the balancer, or takes over the one that is there, which goes on forwarding all the while.
     *
     * @param seed of the flow hash
     * @throws DataplaneException if the interface is missing, or the kernel refuses
     */
    public static XdpDataplane open(XdpSection xdp, HashSeed seed) {
        RouteTable routes = RouteTable.open();
        try {
            Link link = routes.link(xdp.interfaceName())
                    .orElseThrow(() -> new DataplaneException("no interface \"" + xdp.interfaceName() + "\" here"));
            Attachment attachment = Attachment.load(xdp);
            try {
                XdpDataplane dataplane = new XdpDataplane(xdp, seed, attachment, routes, link.index());
                dataplane.writeSettings();
                attachment.attach(xdp, link.index());
                return dataplane;
            } catch (DataplaneException | BpfException e) {
                attachment.undo();
                throw e;
            }
        } catch (DataplaneException | BpfException | NetlinkException e) {
            routes.close();
            throw e instanceof DataplaneException ? e : new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public Info info() {
        return new Info("xdp", xdp.interfaceName(), attachment.mode(), attachment.adopted(), attachment.notes());
    }

    @Override
    public void keepAttached() {
        int index = guarded(() -> routes.link(xdp.interfaceName()))
                .map(Link::index)
                .orElseThrow(() ->
                        new DataplaneException("interface " + xdp.interfaceName() + " is gone: nothing is forwarded"));
        if (attachment.isAttached(index)) {
            return;
        }
        LOG.log(System.Logger.Level.WARNING, "the programs are not on {0} any more: attaching", xdp.interfaceName());
        attachment.attach(xdp, index);
        if (index != interfaceIndex) {
            nextHops = new NextHops(routes, index, nextHops.ipv4(), nextHops.ipv6());
            interfaceIndex = index;
        }
    }

    @Override
    public Map<ServiceKey, ObservedService> observe() {
        return guarded(services::observe);
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
        probes.forEach((mark, path) -> wanted.put(mark, new ProbeTargetValue(path, source4, source6).encode()));
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
        return guarded(() -> new FlowEntries(attachment.map("flows"), services.known(), constants(), System::nanoTime));
    }

    /** Of the program that is loaded. */
    private Constants constants() {
        return Constants.decode(
                attachment.map(".rodata.constants").lookup(Word.encode(0)).orElseThrow());
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
        return new Settings(seed, nextHops.ipv4(), nextHops.ipv6(), xdp.mtu()).forModel();
    }

    @Override
    public Optional<InetAddress> remembered(ServiceKey service, FlowKey flow) {
        return guarded(() -> services.remembered(service, flow));
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
