// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Services and reals of these tests. */
final class Samples {
    static final HashSeed SEED = new HashSeed(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    static final ServiceKey WEB4 = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 80);
    static final ServiceKey WEB6 = new ServiceKey(ip("2001:db8::10"), Protocol.TCP, 80);
    static final ServiceKey DNS4 = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 53);
    static final ServiceKey QUIC4 = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 443);
    static final ServiceKey QUIC6 = new ServiceKey(ip("2001:db8::10"), Protocol.UDP, 443);
    static final InetAddress ONE = ip("10.3.0.1");
    static final InetAddress TWO = ip("10.3.0.2");
    static final InetAddress SIX = ip("fd00:3::6");
    static final Set<InetAddress> REALS = Set.of(ONE, TWO, SIX);

    private Samples() {}

    /** Weight 0: drained. */
    static Programs program(Set<ServiceKey> keys, Map<InetAddress, Integer> weights) {
        return program(keys, weights, 1021);
    }

    /** The same with so many slots, a prime. */
    static Programs program(Set<ServiceKey> keys, Map<InetAddress, Integer> weights, int slots) {
        List<WeightedReal> reals = weights.entrySet().stream()
                .map(real -> new WeightedReal(real.getKey().getHostAddress(), real.getValue()))
                .collect(Collectors.toCollection(ArrayList::new));
        LookupTable table = Scheduler.MAGLEV.build(reals, slots, SEED);
        return new Programs(keys, PacketKey.FIVE_TUPLE, table, weights.keySet());
    }

    /** The web by both families, on all three reals. */
    static Programs web() {
        return program(Set.of(WEB4, WEB6), Map.of(ONE, 1, TWO, 2, SIX, 1));
    }
}
