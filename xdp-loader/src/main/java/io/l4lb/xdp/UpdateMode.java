// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/** What an update does about a key that is, or is not, there (BPF_ANY and so on in linux/bpf.h). */
public enum UpdateMode {
    /** Creates or replaces. */
    ANY(0),
    /** Creates; fails with EEXIST if the key is there. */
    NOEXIST(1),
    /** Replaces; fails with ENOENT if it is not. */
    EXIST(2);

    private final long flags;

    UpdateMode(long flags) {
        this.flags = flags;
    }

    long flags() {
        return flags;
    }
}
