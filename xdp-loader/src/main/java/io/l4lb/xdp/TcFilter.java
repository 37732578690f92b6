// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.FilterCalls;
import java.util.OptionalInt;

/**
 * A tc program as a filter of clsact: for kernels before 6.6, which have no tcx. It stays until it is removed, needs no
 * pin, and its program is replaced at once. Interfaces are named by index in the calling thread's network namespace.
 *
 * @param handle by which it is found again, with its priority
 * @param priority lower ones come first
 */
public record TcFilter(Direction direction, int handle, int priority) {
    /** Which packets of an interface it sees. */
    public enum Direction {
        /** Those that come in. */
        INGRESS(FilterCalls.INGRESS),
        /** Those that leave. */
        EGRESS(FilterCalls.EGRESS);

        private final int point;

        Direction(int point) {
            this.point = point;
        }
    }

    private FilterCalls.Place on(int ifindex) {
        return new FilterCalls.Place(ifindex, direction.point, handle, priority);
    }

    /**
     * Makes the filter with that program, or puts the program in the place of the one that is there.
     *
     * @throws BpfUnsupportedException a kernel module is missing
     */
    public void attach(ProgramHandle program, int ifindex) {
        FilterCalls.attach(
                "attach program " + program.name() + " as a filter of clsact", on(ifindex), program.number());
    }

    /** The id of its program; empty if it is not on that interface. */
    public OptionalInt programId(int ifindex) {
        return FilterCalls.query(on(ifindex));
    }

    /** Removes it; whether it was there. */
    public boolean detach(int ifindex) {
        return FilterCalls.detach(on(ifindex));
    }
}
