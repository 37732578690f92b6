// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.BpfMap;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What the balancer remembers: flows and first fragments. For one thread. */
final class Flows {
    private final BpfMap flows;
    private final BpfMap fragments;

    Flows(BpfMap flows, BpfMap fragments) {
        this.flows = flows;
        this.fragments = fragments;
    }

    Optional<FlowValue> of(FlowName name) {
        return flows.lookup(name.encode()).map(FlowValue::decode);
    }

    /** The numbers of reals that some flow or fragment names; both of their values begin with it. */
    Set<Integer> named() {
        Set<Integer> named = new HashSet<>();
        for (BpfMap map : new BpfMap[] {flows, fragments}) {
            for (byte[] key : map.keys()) {
                map.lookup(ByteBuffer.wrap(key)).ifPresent(value -> named.add(Word.decode(value)));
            }
        }
        return named;
    }
}
