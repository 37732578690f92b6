// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
    private static final Terminal PLAIN = new Terminal(80, false);
    private static final Terminal BLOCKS = new Terminal(80, true);

    @ParameterizedTest
    @CsvSource({"'', 80", "120, 120", "12, 40", "999999, 200", "0, 80", "-5, 80", "wide, 80", "99999999999, 80"})
    void widthIsThatOfColumnsWithinReason(String columns, int width) {
        assertEquals(width, Terminal.of(Map.of("COLUMNS", columns)).width());
    }

    @Test
    void blocksAreForUtf8() {
        assertEquals(PLAIN, Terminal.of(Map.of()));
        assertEquals(BLOCKS, Terminal.of(Map.of("LANG", "en_US.UTF-8")));
        assertEquals(BLOCKS, Terminal.of(Map.of("LANG", "C", "LC_CTYPE", "C.utf8")));
        assertEquals(PLAIN, Terminal.of(Map.of("LANG", "C.UTF-8", "LC_ALL", "POSIX")));
        assertEquals(BLOCKS, Terminal.of(Map.of("LANG", "C.UTF-8", "LC_ALL", "")));
    }

    @Test
    void bars() {
        assertEquals("", PLAIN.bar(0, 10, 10));
        assertEquals("#####", PLAIN.bar(5, 10, 10));
        assertEquals("##########", PLAIN.bar(11, 10, 10));
        assertEquals("#", PLAIN.bar(1, 1000, 10));
        assertEquals("", BLOCKS.bar(0, 10, 10));
        assertEquals("█████", BLOCKS.bar(5, 10, 10));
        assertEquals("██▌", BLOCKS.bar(1, 4, 10));
        assertEquals("▏", BLOCKS.bar(1, 1000, 10));
    }
}
