// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.BatchCalls;
import io.l4lb.xdp.internal.jnr.Descriptors;
import io.l4lb.xdp.internal.jnr.Host;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads a whole hash, many entries a call (Linux 5.6). It has a descriptor of its own, so that the map can be read by
 * another thread than the one that owns its handle. Entries that come, go or change meanwhile are read or not; each
 * entry that stays is read once. Reading does not make an entry of an LRU hash younger. For one thread.
 */
public final class MapReader implements AutoCloseable {
    private static final int MAX_ENTRIES = 4096;
    /** About so many bytes are read at once; with hundreds of CPUs a value is long. */
    private static final int BATCH_BYTES = 1 << 18;

    private final Descriptor descriptor;
    private final String name;
    private final MapLayout layout;
    private final int valueBytes;
    private int capacity;
    private ByteBuffer keys;
    private ByteBuffer values;

    private MapReader(Descriptor descriptor, String name, MapLayout layout, int valueBytes) {
        this.descriptor = descriptor;
        this.name = name;
        this.layout = layout;
        this.valueBytes = valueBytes;
        int fitting = BATCH_BYTES / (layout.keySize() + valueBytes);
        this.capacity = Math.max(1, Math.min(Math.min(MAX_ENTRIES, layout.maxEntries()), fitting));
        this.keys = ByteBuffer.allocateDirect(capacity * layout.keySize());
        this.values = ByteBuffer.allocateDirect(capacity * valueBytes);
    }

    /** What reading leads to. */
    @FunctionalInterface
    public interface Visitor {
        /**
         * One entry. The buffers have the host's byte order, begin at 0, and hold it only during the call.
         *
         * @param value of a per-CPU map: the values of all possible CPUs, each at a multiple of 8 bytes
         * @return whether to go on
         */
        boolean visit(ByteBuffer key, ByteBuffer value);
    }

    /** A reader of a hash. */
    public static MapReader of(BpfMap map) {
        int bytes = map.valueSize();
        if (map.layout().isPerCpu()) {
            bytes = stride(bytes) * Host.possibleCpus();
        }
        Descriptor own = new Descriptor(Descriptors.duplicate(map.descriptor().number()));
        return new MapReader(own, map.name(), map.layout(), bytes);
    }

    /** Distance between the values of two CPUs, in bytes. */
    public static int stride(int valueSize) {
        return (valueSize + 7) & ~7;
    }

    public int maxEntries() {
        return layout.maxEntries();
    }

    /** Visits every entry, or as many as the visitor wants. */
    public void read(Visitor visitor) {
        BatchCalls batches = new BatchCalls(layout.keySize());
        while (!batches.atEnd()) {
            int count = batches.read(name, descriptor.number(), keys, values, capacity);
            if (count == BatchCalls.BUCKET_TOO_LARGE) {
                capacity *= 2;
                keys = ByteBuffer.allocateDirect(Math.multiplyExact(capacity, layout.keySize()));
                values = ByteBuffer.allocateDirect(Math.multiplyExact(capacity, valueBytes));
            } else if (!visit(visitor, count)) {
                return;
            }
        }
    }

    private boolean visit(Visitor visitor, int count) {
        for (int i = 0; i < count; i++) {
            ByteBuffer key = keys.slice(i * layout.keySize(), layout.keySize()).order(ByteOrder.nativeOrder());
            ByteBuffer value = values.slice(i * valueBytes, valueBytes).order(ByteOrder.nativeOrder());
            if (!visitor.visit(key, value)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
