// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.util.OptionalInt;

/** BPF programs as filters of the clsact queueing discipline, by netlink; on what comes in by an interface, or on what leaves. */
public final class FilterCalls {
    /* struct bpf_tc_hook { size_t sz; int ifindex; enum bpf_tc_attach_point attach_point; __u32 parent; } */
    private static final int HOOK_SIZE = 24;
    private static final int HOOK_INTERFACE = 8;
    private static final int HOOK_POINT = 12;
    /** {@code BPF_TC_INGRESS}: what comes in. */
    public static final int INGRESS = 1;
    /** {@code BPF_TC_EGRESS}: what leaves. */
    public static final int EGRESS = 2;

    /* struct bpf_tc_opts { size_t sz; int prog_fd; __u32 flags, prog_id, handle, priority; } */
    private static final int OPTIONS_SIZE = 32;
    private static final int OPTIONS_PROGRAM = 8;
    private static final int OPTIONS_FLAGS = 12;
    private static final int OPTIONS_ID = 16;
    private static final int OPTIONS_HANDLE = 20;
    private static final int OPTIONS_PRIORITY = 24;
    private static final int REPLACE = 1;

    private FilterCalls() {}

    /**
     * Which filter.
     *
     * @param point {@link #INGRESS} or {@link #EGRESS}
     */
    public record Place(int interfaceIndex, int point, int handle, int priority) {
        private byte[] hook() {
            return new Options(HOOK_SIZE)
                    .with(HOOK_INTERFACE, interfaceIndex)
                    .with(HOOK_POINT, point)
                    .memory();
        }

        private Options filter() {
            return new Options(OPTIONS_SIZE).with(OPTIONS_HANDLE, handle).with(OPTIONS_PRIORITY, priority);
        }
    }

    /** Makes the filter, or replaces its program; the queueing discipline is made if it is not there. */
    public static void attach(String operation, Place place, int program) {
        LibbpfLog.begin();
        int created = Native.libbpf().bpf_tc_hook_create(place.hook());
        if (created < 0 && !Errno.EEXIST.is(created)) {
            throw MissingModule.QDISC.or(operation, created, LibbpfLog.take());
        }
        Options options = place.filter().with(OPTIONS_PROGRAM, program).with(OPTIONS_FLAGS, REPLACE);
        int result = Native.libbpf().bpf_tc_attach(place.hook(), options.memory());
        if (result < 0) {
            throw MissingModule.CLASSIFIER.or(operation, result, LibbpfLog.take());
        }
    }

    /** The id of the filter's program; empty if there is no such filter, or interface. */
    public static OptionalInt query(Place place) {
        LibbpfLog.begin();
        Options options = place.filter();
        int result = Native.libbpf().bpf_tc_query(place.hook(), options.memory());
        if (isAbsent(result)) {
            return OptionalInt.empty();
        }
        if (result < 0) {
            throw BpfException.of("query filter of interface " + place.interfaceIndex, result, LibbpfLog.take());
        }
        return OptionalInt.of(options.get(OPTIONS_ID));
    }

    /** Whether the filter was there. */
    public static boolean detach(Place place) {
        LibbpfLog.begin();
        int result = Native.libbpf().bpf_tc_detach(place.hook(), place.filter().memory());
        if (isAbsent(result)) {
            return false;
        }
        if (result < 0) {
            throw BpfException.of("remove filter of interface " + place.interfaceIndex, result, LibbpfLog.take());
        }
        return true;
    }

    /** EINVAL: there is no queueing discipline, and so no filter; ENODEV: no interface. */
    private static boolean isAbsent(int result) {
        return Errno.ENOENT.is(result) || Errno.EINVAL.is(result) || Errno.ENODEV.is(result);
    }
}
