// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.config.ConfigDiff;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.status.ConfigDiffView.KeyChange;
import io.l4lb.agent.status.ConfigDiffView.ServiceChange;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Which services differ between two configurations, and in which keys. */
final class ServiceChanges {
    private static final Map<String, Function<Service, String>> KEYS = keys();

    private ServiceChanges() {}

    /**
     * What a change of some services is about.
     *
     * @param names of the services that differ
     */
    static List<ServiceChange> of(Config running, Config next, List<String> names) {
        Map<String, Service> before = ConfigDiff.byName(running);
        Map<String, Service> after = ConfigDiff.byName(next);
        return names.stream()
                .map(name -> change(name, Optional.ofNullable(before.get(name)), Optional.ofNullable(after.get(name))))
                .toList();
    }

    private static ServiceChange change(String name, Optional<Service> before, Optional<Service> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return new ServiceChange(name, before.isEmpty() ? "added" : "removed", List.of());
        }
        List<KeyChange> changes = new ArrayList<>();
        KEYS.forEach((key, text) -> add(changes, key, text.apply(before.get()), text.apply(after.get())));
        reals(changes, before.get(), after.get());
        return new ServiceChange(name, "changed", changes);
    }

    private static void add(List<KeyChange> changes, String key, String before, String after) {
        if (!before.equals(after)) {
            changes.add(new KeyChange(key, before, after));
        }
    }

    private static void reals(List<KeyChange> changes, Service before, Service after) {
        Map<InetAddress, Real> old = byAddress(before);
        Map<InetAddress, Real> young = byAddress(after);
        Set<InetAddress> all = new LinkedHashSet<>(old.keySet());
        all.addAll(young.keySet());
        int known = changes.size();
        for (InetAddress address : all) {
            String key = "reals[" + IpText.of(address) + "]";
            Real one = old.get(address);
            Real other = young.get(address);
            if (one != null && other != null) {
                add(changes, key + ".weight", Integer.toString(one.weight()), Integer.toString(other.weight()));
                add(changes, key + ".server-id", serverId(one), serverId(other));
            } else {
                add(changes, key, real(Optional.ofNullable(one)), real(Optional.ofNullable(other)));
            }
        }
        if (known == changes.size()) {
            add(changes, "reals", addresses(before), addresses(after)); // in another order
        }
    }

    private static Map<InetAddress, Real> byAddress(Service service) {
        Map<InetAddress, Real> reals = new LinkedHashMap<>();
        service.reals().forEach(real -> reals.put(real.address(), real));
        return reals;
    }

    private static String real(Optional<Real> real) {
        return real.map(one -> "weight " + one.weight()
                        + one.serverId().map(id -> ", server-id " + id).orElse(""))
                .orElse("");
    }

    private static String serverId(Real real) {
        return real.serverId().map(ServerId::toString).orElse("");
    }

    private static String addresses(Service service) {
        return service.reals().stream().map(real -> IpText.of(real.address())).collect(Collectors.joining(" "));
    }

    /** By key, what of a service it says; without the reals. */
    private static Map<String, Function<Service, String>> keys() {
        Map<String, Function<Service, String>> keys = new LinkedHashMap<>();
        keys.put(
                "vips",
                service -> service.frontend().vips().stream().map(IpText::of).collect(Collectors.joining(" ")));
        keys.put("protocol", service -> service.frontend().protocol().key());
        keys.put("port", service -> Frontend.portText(service.frontend().port()));
        keys.put("scheduler", service -> service.balancing().scheduling().key());
        keys.put("hash-key", service -> service.balancing().hashKey().key());
        keys.put("quic", service -> service.balancing()
                .connectionIds()
                .map(ServiceChanges::layout)
                .orElse(""));
        keys.put("table-size", service -> size(service.balancing().scheduling().tableSize()));
        keys.put("forwarding", service -> service.balancing().forwarding().key());
        keys.put("quorum", service -> service.quorum().toString());
        checkKeys()
                .forEach((key, text) -> keys.put("health-check." + key, service -> text.apply(service.healthCheck())));
        return keys;
    }

    private static String layout(ConnectionIdLayout layout) {
        return "cid-length " + layout.length() + ", server-id-length " + layout.serverIdLength() + ", rotation "
                + layout.rotation();
    }

    private static String size(int slots) {
        return slots == 0 ? "" : Integer.toString(slots);
    }

    private static Map<String, Function<HealthCheck, String>> checkKeys() {
        Map<String, Function<HealthCheck, String>> keys = new LinkedHashMap<>();
        keys.put("type", check -> check.type().key());
        keys.put("port", check -> Integer.toString(check.port()));
        keys.put("path", HealthCheck::path);
        keys.put("host", check -> check.host().orElse(""));
        keys.put("interval", check -> StatusReport.text(check.timing().interval()));
        keys.put("timeout", check -> StatusReport.text(check.timing().timeout()));
        keys.put("rise", check -> Integer.toString(check.timing().rise()));
        keys.put("fall", check -> Integer.toString(check.timing().fall()));
        return keys;
    }
}
