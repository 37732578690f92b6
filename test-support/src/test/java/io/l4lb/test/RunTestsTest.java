// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunTestsTest {
    /** Nested and static: JUnit runs it only when asked by name. */
    static class Good {
        @Test
        void passes() {}

        @Test
        void skips() {
            abort("no reason");
        }
    }

    static class Bad {
        @Test
        void fails() {
            fail("on purpose");
        }
    }

    static class Empty {}

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void aLineForEachTest() {
        assertTrue(run(Good.class));
        assertEquals(
                List.of(
                        "1 passed, 1 skipped, 0 failed",
                        "SKIP RunTestsTest$Good skips(): no reason",
                        "ok   RunTestsTest$Good passes()"),
                text().lines().sorted().toList());
    }

    @Test
    void aFailureCounts() {
        assertFalse(run(Good.class, Bad.class));
        assertTrue(text().contains("FAIL RunTestsTest$Bad fails()\norg.opentest4j.AssertionFailedError: on purpose"));
        assertTrue(text().endsWith("1 passed, 1 skipped, 1 failed\n"));
    }

    @Test
    void noTestsIsNoSuccess() {
        assertFalse(run(Empty.class));
    }

    private boolean run(Class<?>... classes) {
        List<String> names = List.of(classes).stream().map(Class::getName).toList();
        return new RunTests(new PrintStream(written, true, StandardCharsets.UTF_8)).run(names);
    }

    private String text() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
