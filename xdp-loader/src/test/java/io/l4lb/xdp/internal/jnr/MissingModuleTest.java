// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfUnsupportedException;
import io.l4lb.xdp.Errno;
import org.junit.jupiter.api.Test;

/** What is said of modules that this machine may have. */
class MissingModuleTest {
    private static final String REMEDY = " is not loaded and could not be loaded: modprobe -a sch_ingress cls_bpf"
            + " (package kmod), in a container on the host; without them it takes Linux 6.6 or newer";

    @Test
    void isNamedWithItsRemedy() {
        BpfException qdisc = MissingModule.QDISC.or(
                "attach", -Errno.ENOENT.number(), "libbpf: Kernel error message: Specified qdisc kind is unknown");
        assertInstanceOf(BpfUnsupportedException.class, qdisc);
        assertEquals(
                "attach: ENOENT: kernel module sch_ingress" + REMEDY
                        + " (libbpf: Kernel error message: Specified qdisc kind is unknown)",
                qdisc.getMessage());
        assertEquals(
                "attach: ENOENT: kernel module cls_bpf" + REMEDY,
                MissingModule.CLASSIFIER
                        .or("attach", -Errno.ENOENT.number(), "")
                        .getMessage());
    }

    @Test
    void otherErrorsAreWhatTheyAre() {
        BpfException failure = MissingModule.QDISC.or("attach", -Errno.ENODEV.number(), "");
        assertFalse(failure instanceof BpfUnsupportedException);
        assertEquals("attach: ENODEV", failure.getMessage());
    }
}
