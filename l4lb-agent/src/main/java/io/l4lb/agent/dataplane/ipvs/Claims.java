// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.host.OwnedKey;
import io.l4lb.agent.dataplane.ipvs.host.OwnedServices;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.AddressFamily;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The services that are ours, with the nominal weights of their destinations. For the reconcile thread alone. */
final class Claims {
    private final OwnedServices owned;
    private final Map<ServiceIdentity, Map<InetAddress, Integer>> claimed = new HashMap<>();

    Claims(OwnedServices owned) {
        this.owned = owned;
        owned.claims().forEach((key, nominal) -> claimed.put(identity(key), nominal));
    }

    private static ServiceIdentity identity(OwnedKey key) {
        return key.address()
                .<ServiceIdentity>map(address -> new VirtualAddress(address, key.protocol(), key.port()))
                .orElseGet(() -> new FirewallMark(key.mark(), key.ipv6() ? AddressFamily.INET6 : AddressFamily.INET));
    }

    private static OwnedKey key(ServiceIdentity identity) {
        if (identity instanceof VirtualAddress address) {
            return OwnedKey.address(address.protocol(), address.address(), address.port());
        }
        FirewallMark mark = (FirewallMark) identity;
        return OwnedKey.mark(mark.mark(), mark.family() == AddressFamily.INET6);
    }

    boolean has(ServiceIdentity service) {
        return claimed.containsKey(service);
    }

    Set<VirtualAddress> addresses() {
        return claimed.keySet().stream()
                .filter(VirtualAddress.class::isInstance)
                .map(VirtualAddress.class::cast)
                .collect(Collectors.toSet());
    }

    Map<DestinationIdentity, Integer> nominal(VirtualAddress service) {
        Map<DestinationIdentity, Integer> nominal = new HashMap<>();
        claimed.getOrDefault(service, Map.of())
                .forEach((real, weight) -> nominal.put(new DestinationIdentity(real, service.port()), weight));
        return nominal;
    }

    /** Before the service is made or changed, so that whatever happens then, it is known as ours. */
    void claim(ServiceIdentity service, Map<DestinationIdentity, Integer> nominal) {
        Map<InetAddress, Integer> byReal = new LinkedHashMap<>();
        nominal.forEach((destination, weight) -> byReal.put(destination.address(), weight));
        owned.claim(key(service), byReal);
        claimed.put(service, byReal);
    }

    /** After the service is gone. */
    void release(ServiceIdentity service) {
        owned.release(key(service));
        claimed.remove(service);
    }
}
