// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.OptionalInt;

/** File descriptors of BPF things: duplicate, close, pin, open, describe. */
public final class Descriptors {
    private static final int F_DUPFD_CLOEXEC = 1030;

    private Descriptors() {}

    /** A second descriptor of the same thing, closed on exec. */
    public static int duplicate(int descriptor) {
        int copy = Native.libc().fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
        if (copy < 0) {
            throw BpfException.of("duplicate a descriptor", Native.errno(), "");
        }
        return copy;
    }

    /** Linux releases the descriptor whatever close(2) answers, so its answer is not looked at. */
    public static void close(int descriptor) {
        Native.libc().close(descriptor);
    }

    public static void pin(int descriptor, String path) {
        LibbpfLog.begin();
        int result = Native.libbpf().bpf_obj_pin(descriptor, path);
        if (result < 0) {
            throw BpfException.of("pin " + path, result, LibbpfLog.take());
        }
    }

    /** A descriptor of what is pinned there; empty if there is no such file. */
    public static OptionalInt openPinned(String path) {
        LibbpfLog.begin();
        int result = Native.libbpf().bpf_obj_get(path);
        if (Errno.ENOENT.is(result)) {
            return OptionalInt.empty();
        }
        if (result < 0) {
            throw BpfException.of("open pin " + path, result, LibbpfLog.take());
        }
        return OptionalInt.of(result);
    }

    /**
     * The kernel's bpf_map_info, bpf_prog_info or bpf_link_info (linux/bpf.h).
     *
     * @param size how much of it to ask for; what the kernel does not know stays zero
     */
    public static ByteBuffer info(String operation, int descriptor, int size) {
        byte[] info = new byte[size];
        int result = Native.libbpf().bpf_obj_get_info_by_fd(descriptor, info, new int[] {size});
        if (result < 0) {
            throw BpfException.of(operation, result, "");
        }
        return ByteBuffer.wrap(info).order(ByteOrder.nativeOrder());
    }

    /** A NUL-terminated name within such a structure. */
    public static String text(ByteBuffer info, int offset, int length) {
        byte[] field = new byte[length];
        info.get(offset, field);
        int end = 0;
        while (end < length && field[end] != 0) {
            end++;
        }
        return new String(field, 0, end, StandardCharsets.UTF_8);
    }
}
