// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * BPF_MAP_LOOKUP_BATCH on a hash (Linux 5.6, kernel/bpf/hashtab.c): entries come bucket by bucket, and a bucket is never
 * split.
 */
public final class BatchCalls {
    /** What the kernel says when the next bucket does not fit. */
    public static final int BUCKET_TOO_LARGE = -1;

    private final ByteBuffer from;
    private final ByteBuffer next;
    private boolean first = true;
    private boolean last;

    /**
     * The beginning of a map.
     *
     * @param keySize in bytes; the kernel's mark of where it stands is a word or as long as a key
     */
    public BatchCalls(int keySize) {
        int size = Math.max(keySize, Integer.BYTES);
        from = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
        next = ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    /** Whether there is nothing left to read. */
    public boolean atEnd() {
        return last;
    }

    /**
     * Reads as many entries as there are and fit.
     *
     * @param keys direct
     * @param values direct
     * @param capacity how many fit into these
     * @return how many were read, or {@link #BUCKET_TOO_LARGE}
     */
    public int read(String map, int descriptor, ByteBuffer keys, ByteBuffer values, int capacity) {
        int[] count = {capacity};
        int result = first
                ? Native.libbpf().bpf_map_lookup_batch(descriptor, null, next, keys, values, count, null)
                : Native.libbpf().bpf_map_lookup_batch(descriptor, from, next, keys, values, count, null);
        if (Errno.ENOSPC.is(result)) {
            return BUCKET_TOO_LARGE;
        }
        last = Errno.ENOENT.is(result);
        if (result < 0 && !last) {
            throw BpfException.of("read map " + map, result, "");
        }
        first = false;
        from.put(0, next, 0, from.capacity());
        return count[0];
    }
}
