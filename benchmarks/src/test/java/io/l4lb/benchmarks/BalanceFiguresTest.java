// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.Scheduler;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.List;
import org.junit.jupiter.api.Test;

class BalanceFiguresTest {
    @Test
    void hasARowForEverySchedulerAndForTheBaseline() {
        List<BalanceFigures.Row> rows =
                BalanceFigures.measure(10, List.of(101), 3, new PrintWriter(Writer.nullWriter()));
        assertEquals(Scheduler.values().length + 1, rows.size());
        for (BalanceFigures.Row row : rows) {
            assertTrue(row.overProvisioning().worst() >= row.overProvisioning().median(), row.toString());
            assertTrue(row.movedBeyondOwn().median() >= 0, row.toString());
            assertNull(row.overProvisioning().paper(), "the paper has none of 10 reals");
        }
        BalanceFigures.Row baseline = rows.get(rows.size() - 1);
        assertEquals(Subject.BASELINE, baseline.scheduler());
        // 101 slots among 10: one has 11.
        assertEquals(8.9, baseline.overProvisioning().median(), 0.1);
    }

    @Test
    void quotesThePaperWhereItHasAFigure() {
        assertEquals(29.7, Paper.overProvisioning("ketama", Paper.REALS, Paper.SMALL));
        assertEquals(49.5, Paper.overProvisioning("rendezvous", Paper.REALS, Paper.SMALL));
        assertEquals(12.3, Paper.overProvisioning("rendezvous", Paper.REALS, Paper.LARGE));
        assertNull(Paper.overProvisioning("maglev", Paper.REALS, Paper.SMALL));
        assertEquals(22.9, Paper.buildMillis("maglev", Paper.REALS, Paper.LARGE));
        assertNull(Paper.buildMillis("maglev", 10, Paper.LARGE));
        assertNull(Paper.buildMillis("rendezvous", Paper.REALS, Paper.LARGE));
    }
}
