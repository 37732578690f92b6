// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.BpfMap;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What the balancer remembers: flows and first fragments. For one thread. */
final class Flows {
    private final Optional<BpfMap> flows;
    private final List<BpfMap> all;

    private Flows(Optional<BpfMap> flows, List<BpfMap> all) {
        this.flows = flows;
        this.all = List.copyOf(all);
    }

    Flows(BpfMap flows, BpfMap fragments) {
        this(Optional.of(flows), List.of(flows, fragments));
    }

    /** Of a program that remembers nothing. */
    static Flows none() {
        return new Flows(Optional.empty(), List.of());
    }

    Optional<FlowValue> of(FlowName name) {
        return flows.flatMap(map -> map.lookup(name.encode())).map(FlowValue::decode);
    }

    /** The numbers of reals that some flow or fragment names; both of their values begin with it. */
    Set<Integer> named() {
        Set<Integer> named = new HashSet<>();
        for (BpfMap map : all) {
            for (byte[] key : map.keys()) {
                map.lookup(ByteBuffer.wrap(key)).ifPresent(value -> named.add(Word.decode(value)));
            }
        }
        return named;
    }
}
