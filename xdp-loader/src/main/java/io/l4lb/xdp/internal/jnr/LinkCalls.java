// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.util.OptionalInt;

/** bpf_link: attach, replace, detach; and what is attached to an interface. */
public final class LinkCalls {
    /* struct bpf_link_create_opts { size_t sz; __u32 flags; ... } */
    private static final int CREATE_SIZE = 16;
    private static final int CREATE_FLAGS = 8;
    /* struct bpf_xdp_query_opts { size_t sz; __u32 prog_id, drv_prog_id, hw_prog_id, skb_prog_id; __u8 attach_mode; } */
    private static final int QUERY_SIZE = 32;
    private static final int QUERY_PROGRAM = 8;
    private static final int QUERY_NATIVE = 12;
    private static final int QUERY_GENERIC = 20;

    /* struct bpf_xdp_attach_opts { size_t sz; int old_prog_fd; } */
    private static final int ATTACH_SIZE = 16;
    private static final int ATTACH_OLD = 8;

    private LinkCalls() {}

    /** The programs of an interface: any, the native one, the generic one; 0 is none. */
    public record Attached(int program, int nativeProgram, int genericProgram) {}

    /**
     * BPF_LINK_CREATE.
     *
     * @return the link's descriptor, or the negative errno: the caller knows what it means for the type
     */
    public static int create(int program, int interfaceIndex, int attachType, int flags) {
        LibbpfLog.begin();
        Options options = new Options(CREATE_SIZE).with(CREATE_FLAGS, flags);
        return Native.libbpf().bpf_link_create(program, interfaceIndex, attachType, options.memory());
    }

    /** Replaces the link's program; every packet sees either the old one or the new one. */
    public static void update(int link, int program) {
        int result = Native.libbpf().bpf_link_update(link, program, null);
        if (result < 0) {
            String detail = Errno.ENOLINK.is(result) ? "the link's interface is gone" : "";
            throw BpfException.of("replace the program of a link", result, detail);
        }
    }

    public static void detach(int link) {
        int result = Native.libbpf().bpf_link_detach(link);
        if (result < 0) {
            throw BpfException.of("detach a link", result, "");
        }
    }

    /** Puts a program on an interface by netlink; the negative errno if that fails. */
    public static int attachXdp(int interfaceIndex, int program, int flags) {
        LibbpfLog.begin();
        return Native.libbpf().bpf_xdp_attach(interfaceIndex, program, flags, null);
    }

    /** Takes that program off an interface by netlink; the negative errno if that fails. */
    public static int detachXdp(int interfaceIndex, int program, int flags) {
        LibbpfLog.begin();
        Options options = new Options(ATTACH_SIZE).with(ATTACH_OLD, program);
        return Native.libbpf().bpf_xdp_detach(interfaceIndex, flags, options.memory());
    }

    /** The id of the link after that one, 0 being before the first; empty at the end. */
    public static OptionalInt nextId(int id) {
        int[] next = new int[1];
        int result = Native.libbpf().bpf_link_get_next_id(id, next);
        if (Errno.ENOENT.is(result)) {
            return OptionalInt.empty();
        }
        if (result < 0) {
            throw BpfException.of("list links", result, "");
        }
        return OptionalInt.of(next[0]);
    }

    /** A descriptor of the link; empty if it is gone. */
    public static OptionalInt openById(int id) {
        int result = Native.libbpf().bpf_link_get_fd_by_id(id);
        if (Errno.ENOENT.is(result)) {
            return OptionalInt.empty();
        }
        if (result < 0) {
            throw BpfException.of("open link by id " + id, result, "");
        }
        return OptionalInt.of(result);
    }

    public static Attached query(int interfaceIndex) {
        Options options = new Options(QUERY_SIZE);
        int result = Native.libbpf().bpf_xdp_query(interfaceIndex, 0, options.memory());
        if (result < 0) {
            throw BpfException.of("query XDP of interface " + interfaceIndex, result, "");
        }
        return new Attached(options.get(QUERY_PROGRAM), options.get(QUERY_NATIVE), options.get(QUERY_GENERIC));
    }
}
