// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.xdp.BpfMap;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** {@code struct counter} of {@code l4lb.h}: packets and bytes, one of each for every CPU, in the host's byte order. */
public final class PerCpuCounter {
    static final int SIZE = 16;

    private PerCpuCounter() {}

    /** The sum over all CPUs. */
    static Counter read(BpfMap counters, int index) {
        return sum(counters.lookupPerCpu(Word.encode(index)));
    }

    /** The sum of what each CPU has counted. */
    public static Counter sum(List<ByteBuffer> values) {
        long packets = 0;
        long bytes = 0;
        for (ByteBuffer value : values) {
            ByteBuffer counter = value.duplicate().order(ByteOrder.nativeOrder());
            packets += counter.getLong();
            bytes += counter.getLong();
        }
        return new Counter(packets, bytes);
    }
}
