// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Protocol;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds what two services, or two entries of one, cannot both have. */
final class Conflicts {
    private record Served(InetAddress vip, Protocol protocol, int port) {}

    private final List<Conflict> found = new ArrayList<>();
    private final Map<String, Conflict.Side> names = new HashMap<>();
    private final Map<Served, Conflict.Side> served = new HashMap<>();
    private final Map<InetAddress, Conflict.Side> vips = new HashMap<>();
    private final Map<InetAddress, Conflict.Side> reals = new HashMap<>();

    private Conflicts() {}

    /** All conflicts; the services come in the order in which later ones are to blame. */
    static List<Conflict> find(List<ServiceDraft> services) {
        Conflicts conflicts = new Conflicts();
        services.forEach(conflicts::add);
        return conflicts.found;
    }

    private void add(ServiceDraft service) {
        service.name().ifPresent(name -> {
            Conflict.Side side = new Conflict.Side(service, name);
            claim(names, name.value(), side, Conflict.Kind.NAME);
        });
        addVips(service);
        Map<InetAddress, Conflict.Side> own = new HashMap<>();
        for (Located<InetAddress> real : service.reals()) {
            Conflict.Side side = new Conflict.Side(service, real);
            claim(own, real.value(), side, Conflict.Kind.ENTRY);
            reals.putIfAbsent(real.value(), side);
            against(vips, real.value(), side, Conflict.Kind.REAL_IS_VIP);
        }
    }

    private void addVips(ServiceDraft service) {
        Optional<Protocol> protocol = service.endpoint().protocol();
        Optional<Integer> port = service.endpoint().port();
        Map<InetAddress, Conflict.Side> own = new HashMap<>();
        Set<InetAddress> once = new HashSet<>();
        for (Located<InetAddress> vip : service.endpoint().vips()) {
            Conflict.Side side = new Conflict.Side(service, vip);
            claim(own, vip.value(), side, Conflict.Kind.ENTRY);
            if (!once.add(vip.value())) {
                continue;
            }
            vips.putIfAbsent(vip.value(), side);
            against(reals, vip.value(), side, Conflict.Kind.VIP_IS_REAL);
            if (protocol.isPresent() && port.isPresent()) {
                claim(served, new Served(vip.value(), protocol.get(), port.get()), side, Conflict.Kind.SERVED);
            }
        }
    }

    private <K> void claim(Map<K, Conflict.Side> claims, K key, Conflict.Side side, Conflict.Kind kind) {
        against(claims, key, side, kind);
        claims.putIfAbsent(key, side);
    }

    private <K> void against(Map<K, Conflict.Side> claims, K key, Conflict.Side side, Conflict.Kind kind) {
        Conflict.Side earlier = claims.get(key);
        if (earlier != null) {
            found.add(new Conflict(kind, earlier, side));
        }
    }
}
