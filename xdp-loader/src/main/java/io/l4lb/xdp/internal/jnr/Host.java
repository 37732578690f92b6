// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.util.OptionalInt;

/** What concerns the machine: interfaces, mounts, processors. */
public final class Host {
    private Host() {}

    /** In the network namespace of the calling thread. */
    public static OptionalInt interfaceIndex(String name) {
        int index = Native.libc().if_nametoindex(name);
        if (index == 0) {
            int errno = Native.errno();
            if (errno == Errno.ENODEV.number()) {
                return OptionalInt.empty();
            }
            throw BpfException.of("look up interface " + name, errno, "");
        }
        return OptionalInt.of(index);
    }

    public static void mountBpfFs(String directory) {
        if (Native.libc().mount("bpf", directory, "bpf", 0, "mode=0700") != 0) {
            throw BpfException.of("mount a bpffs on " + directory, Native.errno(), "");
        }
    }

    /** How many values a per-CPU map has for a key. */
    public static int possibleCpus() {
        int count = Native.libbpf().libbpf_num_possible_cpus();
        if (count < 0) {
            throw BpfException.of("count the possible CPUs", count, "");
        }
        return count;
    }
}
