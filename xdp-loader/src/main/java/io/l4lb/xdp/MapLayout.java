// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/**
 * What two maps must agree on for one to take the other's place.
 *
 * @param type the kernel's number of the map's type (enum bpf_map_type)
 * @param keySize bytes
 * @param valueSize bytes, of one CPU's value where there is one per CPU
 * @param maxEntries its capacity
 * @param flags BPF_F_* as created
 */
public record MapLayout(int type, int keySize, int valueSize, int maxEntries, int flags) {
    static final int ARRAY = 2;
    static final int PERCPU_HASH = 5;
    static final int PERCPU_ARRAY = 6;
    static final int LRU_HASH = 9;
    static final int LRU_PERCPU_HASH = 10;
    static final int NO_COMMON_LRU = 1 << 1;

    static MapLayout of(int[] fields) {
        return new MapLayout(fields[0], fields[1], fields[2], fields[3], fields[4]);
    }

    /**
     * What the kernel makes of it: an LRU whose CPUs have lists of their own gets entries that can be divided among them
     * (kernel/bpf/hashtab.c, htab_map_alloc).
     */
    MapLayout asCreated(int cpus) {
        boolean divided = (type == LRU_HASH || type == LRU_PERCPU_HASH) && (flags & NO_COMMON_LRU) != 0;
        if (!divided || maxEntries % cpus == 0) {
            return this;
        }
        int up = maxEntries / cpus * cpus + cpus;
        return new MapLayout(type, keySize, valueSize, up < maxEntries ? up - cpus : up, flags);
    }

    int[] fields() {
        return new int[] {type, keySize, valueSize, maxEntries, flags};
    }

    boolean isPerCpu() {
        return type == PERCPU_HASH || type == PERCPU_ARRAY || type == LRU_PERCPU_HASH;
    }

    @Override
    public String toString() {
        return "type " + type + ", key " + keySize + " bytes, value " + valueSize + " bytes, " + maxEntries
                + " entries, flags 0x" + Integer.toHexString(flags);
    }
}
