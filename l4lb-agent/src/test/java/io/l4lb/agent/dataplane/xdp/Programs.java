// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The same table and reals for several keys. */
record Programs(Set<ServiceKey> keys, PacketKey packetKey, LookupTable table, Set<InetAddress> active) {
    /** The same with another key. */
    Programs with(PacketKey other) {
        return new Programs(keys, other, table, active);
    }

    void installOn(Dataplane dataplane) {
        keys.forEach(key -> dataplane.install(program(key)));
    }

    boolean doneBy(Map<ServiceKey, ObservedService> observed) {
        return keys.stream().allMatch(key -> Optional.ofNullable(observed.get(key))
                .map(service -> service.does(program(key)))
                .orElse(false));
    }

    private ServiceProgram program(ServiceKey key) {
        return new ServiceProgram(key, packetKey, Forwarding.IPIP, table, active);
    }
}
