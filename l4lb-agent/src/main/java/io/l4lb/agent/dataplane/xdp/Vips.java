// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The VIPs of all services and their protocols, in the two maps of the balancer that spare it further questions: what is
 * not in both of them is passed. So a VIP is there before its services, and until they are gone. For one thread.
 */
final class Vips {
    private final BpfMap vips;
    private final BpfMap filter;
    private final Map<InetAddress, VipValue> written = new HashMap<>();
    private VipFilter writtenFilter = VipFilter.of(Set.of());

    Vips(BpfMap vips, BpfMap filter) {
        this.vips = vips;
        this.filter = filter;
    }

    /** Reads all of it from the kernel. */
    void read() {
        written.clear();
        for (byte[] key : vips.keys()) {
            vips.lookup(ByteBuffer.wrap(key))
                    .ifPresent(value -> written.put(MappedAddress.get(ByteBuffer.wrap(key)), VipValue.decode(value)));
        }
        writtenFilter = filter.lookup(Word.encode(0)).map(VipFilter::decode).orElseThrow();
    }

    /**
     * Adds what is missing for a service, and takes nothing away.
     *
     * @param others the services that are there
     */
    void admit(ServiceKey key, Collection<ServiceKey> others) {
        Map<InetAddress, Set<Protocol>> wanted = byVip(others);
        wanted.computeIfAbsent(key.vip(), unused -> new HashSet<>()).add(key.protocol());
        Set<InetAddress> all = new HashSet<>(written.keySet());
        all.addAll(wanted.keySet());
        write(VipFilter.of(all));
        write(wanted);
    }

    /** Leaves the VIPs of these services, and no others; what is missing is added. */
    void follow(Collection<ServiceKey> services) {
        services.stream().findFirst().ifPresent(any -> admit(any, services));
        Map<InetAddress, Set<Protocol>> wanted = byVip(services);
        for (InetAddress vip : Set.copyOf(written.keySet())) {
            if (!wanted.containsKey(vip)) {
                vips.delete(key(vip));
                written.remove(vip);
            }
        }
        write(VipFilter.of(wanted.keySet()));
    }

    private static Map<InetAddress, Set<Protocol>> byVip(Collection<ServiceKey> services) {
        Map<InetAddress, Set<Protocol>> protocols = new HashMap<>();
        services.forEach(service -> protocols
                .computeIfAbsent(service.vip(), unused -> new HashSet<>())
                .add(service.protocol()));
        return protocols;
    }

    private void write(Map<InetAddress, Set<Protocol>> wanted) {
        wanted.forEach((vip, protocols) -> {
            VipValue value = VipValue.of(protocols);
            if (!Optional.of(value).equals(Optional.ofNullable(written.get(vip)))) {
                vips.update(key(vip), value.encode(), UpdateMode.ANY);
                written.put(vip, value);
            }
        });
    }

    private void write(VipFilter wanted) {
        if (!wanted.equals(writtenFilter)) {
            filter.update(Word.encode(0), wanted.encode(), UpdateMode.ANY);
            writtenFilter = wanted;
        }
    }

    private static ByteBuffer key(InetAddress vip) {
        ByteBuffer key = ByteBuffer.allocate(MappedAddress.SIZE);
        MappedAddress.put(key, vip);
        return key.flip();
    }
}
