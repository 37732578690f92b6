// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import io.l4lb.xdp.internal.jnr.RingCalls;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.Predicate;

/**
 * Takes records out of a BPF ring buffer (Linux 5.8). A ring buffer has one reader: two of them would lose records to
 * each other. For one thread, which may be another than the one that owns the map's handle.
 */
public final class RingBuffer implements AutoCloseable {
    private final Descriptor descriptor;
    private final RingCalls ring;
    private boolean closed;

    private RingBuffer(Descriptor descriptor, RingCalls ring) {
        this.descriptor = descriptor;
        this.ring = ring;
    }

    /** A reader that begins with the oldest record that nobody has taken. */
    public static RingBuffer of(BpfMap map) {
        Descriptor own = new Descriptor(Descriptors.duplicate(map.descriptor().number()));
        try {
            return new RingBuffer(own, new RingCalls(map.name(), own.number()));
        } catch (RuntimeException e) {
            own.close();
            throw e;
        }
    }

    /**
     * Waits until there are records or the time is over, and hands over all that there are.
     *
     * @param records takes a record, a copy of it in the host's byte order; false: no more this time
     * @return how many it took
     */
    public int poll(Duration patience, Predicate<ByteBuffer> records) {
        if (closed) {
            throw new IllegalStateException("the handle is closed");
        }
        return ring.poll(Math.toIntExact(patience.toMillis()), records);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ring.free();
            descriptor.close();
        }
    }
}
