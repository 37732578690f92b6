// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import io.l4lb.xdp.KernelRelease;
import org.junit.jupiter.api.Test;

/** What is said of kernels that this machine does not have. */
final class KernelTest {
    private static final KernelRelease OLD = new KernelRelease("4.19.0-27-amd64");
    private static final KernelRelease NEW = new KernelRelease("6.1.0-13-amd64");

    private static String said(BpfException failure, KernelRelease release) {
        return String.valueOf(Kernel.refused(failure, release).getMessage());
    }

    @Test
    void anOldKernelIsSaidToBeOld() {
        BpfException failure = BpfException.of("load object balancer", Errno.EINVAL.number(), "BPF_F_INNER_MAP");
        assertEquals(
                "this kernel, Linux 4.19.0-27-amd64, is too old: the XDP dataplane needs 5.10 or newer;"
                        + " load object balancer: EINVAL: BPF_F_INNER_MAP",
                said(failure, OLD));
        assertEquals("load object balancer: EINVAL: BPF_F_INNER_MAP", said(failure, NEW));
    }

    @Test
    void aKernelWithoutBpfIsSaidToHaveNone() {
        String said = said(BpfException.of("create map flows", Errno.ENOSYS.number(), ""), OLD);
        assertTrue(said.contains("this kernel has no bpf(2)"), said);
    }

    @Test
    void theVerifiersLastLinesAreKept() {
        String log = "12: (bc) w0 = w11\nR11 is invalid";
        assertTrue(said(BpfException.of("load object balancer", Errno.EACCES.number(), log), NEW)
                .endsWith(log));
    }

    @Test
    void whatIsInWordsAlreadyStays() {
        DataplaneException words = new DataplaneException("in words");
        assertSame(words, Kernel.refused(words, OLD));
    }
}
