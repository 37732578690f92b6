// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.config.ConfigDiff;
import io.l4lb.agent.health.CheckText;
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
        checks(changes, before.get().healthCheck(), after.get().healthCheck());
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
                add(changes, key + ".maintenance", flag(one.maintenance()), flag(other.maintenance()));
                add(changes, key + ".check-address", checkAddress(one), checkAddress(other));
                add(changes, key + ".check-port", checkPort(one), checkPort(other));
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

    private static String flag(boolean set) {
        return set ? "true" : "";
    }

    private static String checkAddress(Real real) {
        return real.checkAt().address().map(IpText::of).orElse("");
    }

    private static String checkPort(Real real) {
        return real.checkAt().port().isPresent()
                ? Integer.toString(real.checkAt().port().getAsInt())
                : "";
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
        keys.put("panic-share", service -> service.availability().panic().share() + "%");
        keys.put(
                "panic-window",
                service -> StatusReport.text(service.availability().panic().window()));
        keys.put(
                "all-down", service -> service.availability().allDown().policy().key());
        keys.put("sorry.address", service -> service.availability()
                .allDown()
                .sorry()
                .map(sorry -> IpText.of(sorry.address()))
                .orElse(""));
        return keys;
    }

    private static String layout(ConnectionIdLayout layout) {
        return "cid-length " + layout.length() + ", server-id-length " + layout.serverIdLength() + ", rotation "
                + layout.rotation();
    }

    private static String size(int number) {
        return number == 0 ? "" : Integer.toString(number);
    }

    /** What a check asks differs by its type: a key that one of them has not is empty there. */
    private static void checks(List<KeyChange> changes, HealthCheck before, HealthCheck after) {
        Map<String, String> old = checkKeys(before);
        Map<String, String> young = checkKeys(after);
        Set<String> all = new LinkedHashSet<>(old.keySet());
        all.addAll(young.keySet());
        all.forEach(key -> add(changes, "health-check." + key, old.getOrDefault(key, ""), young.getOrDefault(key, "")));
    }

    private static Map<String, String> checkKeys(HealthCheck check) {
        Map<String, String> keys = new LinkedHashMap<>(CheckText.of(check));
        keys.put("via", check.way().via().key());
        keys.put("port", Integer.toString(check.way().port()));
        keys.put("packet-size", size(check.way().packetSize()));
        keys.put("interval", StatusReport.text(check.timing().interval()));
        keys.put("down-interval", StatusReport.text(check.timing().downInterval()));
        keys.put("flap-hold", StatusReport.text(check.timing().hold().first()));
        keys.put("flap-hold-max", StatusReport.text(check.timing().hold().longest()));
        keys.put("flap-memory", StatusReport.text(check.timing().hold().memory()));
        keys.put("timeout", StatusReport.text(check.timeout()));
        keys.put("rise", Integer.toString(check.timing().rise()));
        keys.put("fall", Integer.toString(check.timing().fall()));
        return keys;
    }
}
