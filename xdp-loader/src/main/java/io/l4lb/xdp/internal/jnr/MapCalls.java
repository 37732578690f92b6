// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;

/** bpf(2) on maps. */
public final class MapCalls {
    /*
     * struct bpf_map_create_opts { size_t sz; __u32 btf_fd, btf_key_type_id, btf_value_type_id,
     *   btf_vmlinux_value_type_id, inner_map_fd, map_flags; __u64 map_extra; __u32 numa_node, map_ifindex; }
     */
    private static final int CREATE_SIZE = 48;
    private static final int CREATE_FLAGS = 28;

    private MapCalls() {}

    /** A new map; its layout is in the order that {@link ObjectCalls#mapLayout} has. */
    public static int create(String name, int[] fields) {
        LibbpfLog.begin();
        Options options = new Options(CREATE_SIZE).with(CREATE_FLAGS, fields[4]);
        int result = Native.libbpf().bpf_map_create(fields[0], name, fields[1], fields[2], fields[3], options.memory());
        if (result < 0) {
            throw BpfException.of(
                    "create map " + name + " of " + fields[3] + " times " + fields[2] + " bytes",
                    result,
                    LibbpfLog.take());
        }
        return result;
    }

    public static int openById(int id) {
        int result = Native.libbpf().bpf_map_get_fd_by_id(id);
        if (result < 0) {
            throw BpfException.of("open map by id " + id, result, "");
        }
        return result;
    }

    /** Empty if there is no such key. */
    public static Optional<byte[]> lookup(String map, int descriptor, byte[] key, int size) {
        byte[] value = new byte[size];
        int result = Native.libbpf().bpf_map_lookup_elem(descriptor, key, value);
        if (Errno.ENOENT.is(result)) {
            return Optional.empty();
        }
        if (result < 0) {
            throw BpfException.of("look up in map " + map, result, "");
        }
        return Optional.of(value);
    }

    public static void update(String map, int descriptor, byte[] key, byte[] value, long flags) {
        int result = Native.libbpf().bpf_map_update_elem(descriptor, key, value, flags);
        if (result < 0) {
            throw BpfException.of("update map " + map, result, "");
        }
    }

    /** Whether the key was there. */
    public static boolean delete(String map, int descriptor, byte[] key) {
        int result = Native.libbpf().bpf_map_delete_elem(descriptor, key);
        if (Errno.ENOENT.is(result)) {
            return false;
        }
        if (result < 0) {
            throw BpfException.of("delete from map " + map, result, "");
        }
        return true;
    }

    /** The key after {@code key}; the first one if that is empty or no longer there. */
    public static Optional<byte[]> nextKey(String map, int descriptor, Optional<byte[]> key, int size) {
        byte[] next = new byte[size];
        int result = Native.libbpf().bpf_map_get_next_key(descriptor, key.orElse(null), next);
        if (Errno.ENOENT.is(result)) {
            return Optional.empty();
        }
        if (result < 0) {
            throw BpfException.of("iterate map " + map, result, "");
        }
        return Optional.of(next);
    }

    /** Writes {@code values} from index 0 on; false if this kernel has no batches for the map (before 5.6). */
    public static boolean updateBatch(String map, int descriptor, int[] values) {
        int[] keys = new int[values.length];
        Arrays.setAll(keys, index -> index);
        int[] count = {values.length};
        int result = Native.libbpf().bpf_map_update_batch(descriptor, keys, values, count, null);
        if (noBatches(result)) {
            return false;
        }
        if (result < 0) {
            throw BpfException.of("write " + values.length + " values to map " + map, result, "");
        }
        return true;
    }

    /**
     * Writes entries, keys and values one behind the other.
     *
     * @return how many were written before one found no room; empty if this kernel has no batches for the map
     */
    public static OptionalInt updateBatch(String map, int descriptor, byte[] keys, byte[] values, int entries) {
        int[] written = {entries};
        int result = Native.libbpf().bpf_map_update_batch(descriptor, keys, values, written, null);
        if (noBatches(result)) {
            return OptionalInt.empty();
        }
        if (result < 0 && !Errno.E2BIG.is(result) && !Errno.ENOMEM.is(result)) {
            throw BpfException.of("write " + entries + " entries to map " + map, result, "");
        }
        return OptionalInt.of(written[0]);
    }

    /** Reads an array of 32-bit values; empty if this kernel has no batches for the map. */
    public static Optional<int[]> lookupBatch(String map, int descriptor, int entries) {
        int[] all = new int[entries];
        int[] keys = new int[entries];
        int[] values = new int[entries];
        int[] next = new int[1];
        int[] count = {entries};
        int result = Native.libbpf().bpf_map_lookup_batch(descriptor, null, next, keys, values, count, null);
        if (noBatches(result)) {
            return Optional.empty();
        }
        /* ENOENT: the end was reached, count says how many were read before it. */
        if (result < 0 && !Errno.ENOENT.is(result)) {
            throw BpfException.of("read map " + map, result, "");
        }
        if (count[0] != entries) {
            throw BpfException.of("read map " + map, Errno.EAGAIN.number(), count[0] + " of " + entries + " values");
        }
        for (int i = 0; i < entries; i++) {
            all[keys[i]] = values[i];
        }
        return Optional.of(all);
    }

    private static boolean noBatches(int result) {
        return Errno.ENOTSUPP.is(result) || Errno.EOPNOTSUPP.is(result) || Errno.EINVAL.is(result);
    }
}
