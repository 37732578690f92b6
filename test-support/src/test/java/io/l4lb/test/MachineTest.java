// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

final class MachineTest {
    private final String required = System.getProperty("l4lb.require", "");

    @AfterEach
    void restore() {
        System.setProperty("l4lb.require", required);
    }

    @Test
    void whatIsMissingSkipsATestAndFailsItWhereRequired() {
        System.setProperty("l4lb.require", "netns,bpf");
        Machine.need("bpf", true, "unused");
        assertTrue(assertThrows(TestAbortedException.class, () -> Machine.need("bird", false, "no bird here"))
                .toString()
                .contains("bird: no bird here"));
        assertThrows(AssertionFailedError.class, () -> Machine.need("bpf", false, "no bpf here"));
        System.setProperty("l4lb.require", "");
        assertThrows(TestAbortedException.class, () -> Machine.need("bpf", false, "no bpf here"));
    }

    @Test
    void commandsRun() {
        assertEquals("spoken\n", Machine.run("echo", "spoken"));
        assertEquals("heard", Machine.runWithInput("heard", "cat"));
        assertEquals(
                new Outcome(3, "out\n", "err\n"), Machine.attempt("", "sh", "-c", "echo out; echo err >&2; exit 3"));
        assertFalse(Machine.succeeds("false"));
        assertFalse(Machine.succeeds("/no/such/command"));
        IllegalStateException e =
                assertThrows(IllegalStateException.class, () -> Machine.run("sh", "-c", "echo why >&2; exit 1"));
        assertTrue(e.toString().contains("why"), e.toString());
    }
}
