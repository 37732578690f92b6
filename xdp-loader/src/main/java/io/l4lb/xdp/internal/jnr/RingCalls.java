// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Predicate;
import jnr.ffi.Pointer;
import org.jspecify.annotations.Nullable;

/** A ring buffer as libbpf reads it: mapped into memory, and waited for with epoll. For one thread. */
public final class RingCalls {
    private static final int STOP = -1;

    private final String map;
    private final long ring;
    /* Native code calls it: it must not be collected. */
    private final LibBpf.Sample sample;
    private Predicate<ByteBuffer> consumer = unused -> false;
    private @Nullable RuntimeException failure;
    private int taken;

    public RingCalls(String map, int descriptor) {
        this.map = map;
        this.sample = this::take;
        LibbpfLog.begin();
        this.ring = Native.libbpf().ring_buffer__new(descriptor, sample, null, null);
        if (ring == 0) {
            throw BpfException.of("read ring buffer " + map, Native.errno(), LibbpfLog.take());
        }
    }

    private int take(Pointer context, Pointer record, long size) {
        /* An exception must not pass through native code. */
        try {
            taken++;
            byte[] copy = new byte[Math.toIntExact(size)];
            record.get(0, copy, 0, copy.length);
            return consumer.test(ByteBuffer.wrap(copy).order(ByteOrder.nativeOrder())) ? 0 : STOP;
        } catch (RuntimeException e) {
            failure = e;
            return STOP;
        }
    }

    /** Waits for records; hands each to the consumer until that answers false or there are no more. How many it got. */
    public int poll(int milliseconds, Predicate<ByteBuffer> records) {
        consumer = records;
        failure = null;
        taken = 0;
        int result = Native.libbpf().ring_buffer__poll(ring, milliseconds);
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        if (result < 0 && result != STOP && !Errno.EINTR.is(result)) {
            throw BpfException.of("poll ring buffer " + map, result, "");
        }
        return taken;
    }

    public void free() {
        Native.libbpf().ring_buffer__free(ring);
    }
}
