// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What is said of a kernel that is too old. */
class KernelReleaseTest {
    private static boolean isBefore(String release) {
        return new KernelRelease(release).isBefore(6, 6);
    }

    @Test
    void releasesAreCompared() {
        assertTrue(isBefore("6.1.0-13-amd64"));
        assertTrue(isBefore("5.10"));
        assertFalse(isBefore("6.6.1"));
        assertFalse(isBefore("7.0.0"));
        assertFalse(isBefore("unknown"));
    }

    @Test
    void anOldKernelIsNamedTogetherWithWhatIsNeeded() {
        BpfException e = new KernelRelease("6.1.0-13-amd64").failure("attach", -22, "tcx", 6, 6);
        assertInstanceOf(BpfUnsupportedException.class, e);
        assertEquals("attach: EINVAL: tcx needs Linux 6.6 or newer, this is 6.1.0-13-amd64", e.getMessage());
    }

    @Test
    void anotherKernelIsNotBlamed() {
        BpfException e = new KernelRelease("6.12.1").failure("attach", -22, "tcx", 6, 6);
        assertEquals("attach: EINVAL", e.getMessage());
    }

    @Test
    void aKernelWithoutBpfIsSaid() {
        BpfException e = BpfException.of("create map", 38, "");
        assertInstanceOf(BpfUnsupportedException.class, e);
        assertEquals("create map: ENOSYS: this kernel has no bpf(2): it needs CONFIG_BPF_SYSCALL", e.getMessage());
    }
}
