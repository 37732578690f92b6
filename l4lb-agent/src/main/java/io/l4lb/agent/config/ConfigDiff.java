// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.AgentSection;
import io.l4lb.agent.model.BgpSection;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.model.XdpSection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** What differs between two configurations. */
public final class ConfigDiff {
    private ConfigDiff() {}

    /** The keys that differ and that a reload cannot apply, as {@code xdp.mtu}: all but those of services and of the panic rule. */
    public static List<String> needsRestart(Config running, Config loaded) {
        List<String> keys = new ArrayList<>();
        compare(keys, "agent.", agentKeys(), running.agent(), loaded.agent());
        if (running.dataplane() instanceof XdpSection before && loaded.dataplane() instanceof XdpSection after) {
            compare(keys, "xdp.", xdpKeys(), before, after);
        } else if (running.dataplane() instanceof IpvsSection before
                && loaded.dataplane() instanceof IpvsSection after) {
            compare(keys, "ipvs.", ipvsKeys(), before, after);
        }
        if (running.bgp().isPresent() && loaded.bgp().isPresent()) {
            compare(keys, "bgp.", bgpKeys(), running.bgp().get(), loaded.bgp().get());
        } else if (running.bgp().isPresent() || loaded.bgp().isPresent()) {
            keys.add("bgp");
        }
        return List.copyOf(keys);
    }

    /** The names of the services that were added, removed or changed, sorted. */
    public static List<String> changedServices(Config running, Config loaded) {
        Map<String, Service> before = byName(running);
        Map<String, Service> after = byName(loaded);
        TreeSet<String> names = new TreeSet<>(before.keySet());
        names.addAll(after.keySet());
        names.removeIf(name -> Optional.ofNullable(before.get(name)).equals(Optional.ofNullable(after.get(name))));
        return List.copyOf(names);
    }

    /** All services. */
    public static Map<String, Service> byName(Config config) {
        Map<String, Service> services = new HashMap<>();
        config.services().forEach(service -> services.put(service.name(), service));
        return services;
    }

    private static <T> void compare(
            List<String> keys, String prefix, Map<String, Function<T, Object>> parts, T running, T loaded) {
        parts.forEach((key, part) -> {
            if (!part.apply(running).equals(part.apply(loaded))) {
                keys.add(prefix + key);
            }
        });
    }

    private static Map<String, Function<AgentSection, Object>> agentKeys() {
        Map<String, Function<AgentSection, Object>> keys = new LinkedHashMap<>();
        keys.put("dataplane", AgentSection::dataplane);
        keys.put("control-socket", AgentSection::controlSocket);
        keys.put("state-dir", AgentSection::stateDir);
        keys.put("services-dir", AgentSection::servicesDir);
        keys.put("metrics-listen", AgentSection::metricsListen);
        keys.put("hash-seed-file", AgentSection::hashSeedFile);
        return keys;
    }

    /** By key, what of the section it says. */
    static Map<String, Function<XdpSection, Object>> xdpKeys() {
        Map<String, Function<XdpSection, Object>> keys = new LinkedHashMap<>();
        keys.put("interfaces", xdp -> xdp.placement().interfaces());
        keys.put("mode", xdp -> xdp.placement().mode());
        keys.put("chain", xdp -> xdp.placement().chain());
        keys.put("pin-dir", xdp -> xdp.placement().pinDir());
        keys.put("next-hop", xdp -> xdp.tunnels().nextHop());
        keys.put("mtu", xdp -> xdp.tunnels().mtu());
        keys.put("tunnel-source4", xdp -> xdp.tunnels().source4());
        keys.put("tunnel-source6", xdp -> xdp.tunnels().source6());
        keys.put("flow-table-size", xdp -> xdp.flowTable().size());
        keys.put("flow-table", xdp -> xdp.flowTable().forgetting());
        keys.put("flow-table-on-upgrade", xdp -> xdp.flowTable().onUpgrade());
        keys.put("new-flow-limit", xdp -> xdp.flowTable().newFlowLimit());
        keys.put("tcp-opening-timeout", xdp -> xdp.flowTable().timeouts().tcpOpening());
        keys.put("tcp-timeout", xdp -> xdp.flowTable().timeouts().tcp());
        keys.put("tcp-closing-timeout", xdp -> xdp.flowTable().timeouts().tcpClosing());
        keys.put("udp-timeout", xdp -> xdp.flowTable().timeouts().udp());
        keys.put("fragment-timeout", xdp -> xdp.flowTable().timeouts().fragment());
        keys.put("echo-replies", xdp -> xdp.answers().echoReplies());
        keys.put("too-big-answers", xdp -> xdp.answers().tooBigAnswers());
        keys.put("mss-clamp", xdp -> xdp.answers().mssClamp());
        return keys;
    }

    /** By key, what of the section it says. */
    static Map<String, Function<IpvsSection, Object>> ipvsKeys() {
        Map<String, Function<IpvsSection, Object>> keys = new LinkedHashMap<>();
        keys.put("interfaces", IpvsSection::interfaces);
        keys.put("maglev", IpvsSection::maglev);
        keys.put("pin-dir", IpvsSection::pinDir);
        keys.put("drain-timeout", IpvsSection::drainTimeout);
        keys.put("tcp-timeout", ipvs -> ipvs.timeouts().tcp());
        keys.put("tcp-closing-timeout", ipvs -> ipvs.timeouts().tcpClosing());
        keys.put("udp-timeout", ipvs -> ipvs.timeouts().udp());
        return keys;
    }

    private static Map<String, Function<BgpSection, Object>> bgpKeys() {
        Map<String, Function<BgpSection, Object>> keys = new LinkedHashMap<>();
        keys.put("local-as", BgpSection::localAs);
        keys.put("router-id", BgpSection::routerId);
        keys.put("hold-time", BgpSection::holdTime);
        keys.put("exabgp", BgpSection::exabgp);
        keys.put("neighbors", BgpSection::neighbors);
        return keys;
    }
}
