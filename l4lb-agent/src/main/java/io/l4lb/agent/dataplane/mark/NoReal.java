// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.xdp.PerCpuCounter;
import io.l4lb.xdp.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;

/** What the marker counts of packets for which it had no real, by service: {@code service_verdicts}. For one thread. */
final class NoReal {
    /** {@code VERDICT_DROP_NO_REAL}; the marker drops nothing, though. */
    private static final int VERDICT = 6;

    private static final int KEY_SIZE = 8;

    private final BpfMap map;

    NoReal(BpfMap map) {
        this.map = map;
    }

    private static ByteBuffer key(int service) {
        return ByteBuffer.allocate(KEY_SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(service)
                .putInt(VERDICT)
                .flip();
    }

    Counter of(int service) {
        return PerCpuCounter.sum(map.lookupPerCpu(key(service)));
    }

    /** Another service may have these ids. */
    void forget(Collection<Integer> services) {
        services.forEach(service -> map.delete(key(service)));
    }
}
