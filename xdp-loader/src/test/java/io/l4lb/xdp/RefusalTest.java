// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What EPERM may mean. */
class RefusalTest {
    private static final long ALL = -1;
    private static final long BPF = 1L << 39;
    private static final long SYS_ADMIN = 1L << 21;
    private static final long NET_ADMIN = 1L << 12;

    private static void assertSaid(String what, Refusal refusal) {
        assertTrue(refusal.explain().contains(what), refusal.explain());
    }

    @Test
    void missingCapabilitiesAreNamed() {
        assertSaid("lacks CAP_BPF (programs and maps) and CAP_SYS_ADMIN", new Refusal(0, false, "none"));
        assertSaid("CAP_NET_ADMIN", new Refusal(0, false, "none"));
        assertSaid("lacks CAP_SYS_ADMIN", new Refusal(BPF | NET_ADMIN, true, "none"));
        assertSaid("lacks CAP_NET_ADMIN", new Refusal(SYS_ADMIN, false, "integrity"));
    }

    @Test
    void capabilitiesOfAUserNamespaceAreNone() {
        assertSaid("in a user namespace", new Refusal(ALL, true, "none"));
    }

    @Test
    void aLockedDownKernelIsSaid() {
        assertSaid("locked down (confidentiality)", new Refusal(ALL, false, "confidentiality"));
        assertEquals("integrity", Refusal.lockdown(List.of("none [integrity] confidentiality")));
        assertEquals("none", Refusal.lockdown(List.of("[none] integrity confidentiality")));
        assertEquals("none", Refusal.lockdown(List.of()));
    }

    @Test
    void whatIsLeftIsAFilter() {
        assertSaid("seccomp", new Refusal(SYS_ADMIN | NET_ADMIN, false, "none"));
    }
}
