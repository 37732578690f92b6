// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfUnsupportedException;
import io.l4lb.xdp.KernelRelease;

/** What the programs need of the kernel, and what to say of one that has it not. */
public final class Kernel {
    /* Maps of maps of differing sizes (BPF_F_INNER_MAP); links for XDP are older. */
    private static final int MAJOR = 5;
    private static final int MINOR = 10;

    private Kernel() {}

    /** In words for an operator, of the kernel that runs. */
    public static DataplaneException refused(RuntimeException failure) {
        return refused(failure, KernelRelease.here());
    }

    /** In words for an operator. */
    static DataplaneException refused(RuntimeException failure, KernelRelease release) {
        if (failure instanceof DataplaneException already) {
            return already;
        }
        String message = String.valueOf(failure.getMessage());
        boolean explained = failure instanceof BpfUnsupportedException;
        return new DataplaneException(
                failure instanceof BpfException && !explained && release.isBefore(MAJOR, MINOR)
                        ? "this kernel, Linux " + release.text() + ", is too old: the XDP dataplane needs " + MAJOR
                                + "." + MINOR + " or newer; " + message
                        : message,
                failure);
    }
}
