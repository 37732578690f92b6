// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfUnsupportedException;
import io.l4lb.xdp.Errno;

/**
 * What filters need of the kernel. It loads the module itself when it is asked for what is in it, and answers ENOENT if it
 * cannot (net/sched/sch_api.c, cls_api.c).
 */
enum MissingModule {
    QDISC("sch_ingress"),
    CLASSIFIER("cls_bpf");

    private final String module;

    MissingModule(String module) {
        this.module = module;
    }

    /** The exception for an error of an operation that needs it. */
    BpfException or(String operation, int number, String detail) {
        if (!Errno.ENOENT.is(number)) {
            return BpfException.of(operation, number, detail);
        }
        String rest = detail.isEmpty() ? "" : " (" + detail.replace("\n", "; ") + ")";
        return new BpfUnsupportedException(
                operation,
                Errno.ENOENT.name(),
                "kernel module " + module + " is not loaded and could not be loaded: modprobe -a sch_ingress cls_bpf"
                        + " (package kmod), in a container on the host; without them it takes Linux 6.6 or newer"
                        + rest);
    }
}
