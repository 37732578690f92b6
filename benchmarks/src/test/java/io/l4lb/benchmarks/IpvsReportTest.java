// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.l4lb.benchmarks.ipvs.IpvsRow;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the virtual machine measured has to come out of it. */
class IpvsReportTest {
    private static final List<IpvsRow> ROWS = List.of(
            new IpvsRow("1000 services", "mh", 1234.5, 4000.0, 5000.0, 0.25, Map.of("add service", 1000)),
            new IpvsRow("one real", "mh", 1.5, null, 3.0, 0.5, Map.of("edit destination", 1)));

    private final StringWriter out = new StringWriter();

    private static Report report() {
        return new Report(
                Environment.observe(Clock.systemUTC(), List.of()), Effort.quick(), null, null, null, null, ROWS);
    }

    @Test
    void jsonIsReadBack() throws IOException {
        report().printJson(new PrintWriter(out, true));
        assertEquals(ROWS, new ObjectMapper().readValue(out.toString(), new TypeReference<List<IpvsRow>>() {}));
    }

    @Test
    void textHasARowForEach() {
        report().printText(new PrintWriter(out, true));
        assertTrue(
                out.toString().lines().anyMatch(line -> line.matches("1000 services +mh +1234.5 +4000 +5000.0 +0.25")),
                out.toString());
        assertTrue(out.toString().contains("{edit destination=1}"), out.toString());
    }
}
