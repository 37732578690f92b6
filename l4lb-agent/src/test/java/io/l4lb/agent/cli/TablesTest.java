// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.control.Samples;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.ServiceView;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TablesTest {
    private static RealView real(String address, int slots) {
        return new RealView("dns", address, "", slots, slots, "up", true, "", Samples.START, slots, 0, 0, List.of());
    }

    /** A scheduler of the kernel without a table: weights are shares of their sum. */
    @Test
    void withoutATableSharesAreThoseOfWeights() {
        ServiceView dns = Samples.dns();
        ServiceView wlc = new ServiceView(
                dns.name(),
                dns.vips(),
                dns.protocol(),
                dns.port(),
                "wlc",
                dns.hashKey(),
                Map.of(),
                0,
                dns.forwarding(),
                dns.quorum(),
                dns.healthCheck(),
                2,
                true,
                dns.vips(),
                "",
                "",
                List.of(real("10.0.1.1", 100), real("10.0.1.2", 300)));
        StringWriter text = new StringWriter();
        Tables.reals(wlc, new Since(Clock.systemUTC())).print(new PrintWriter(text, true));
        assertTrue(text.toString().contains("25.00%") && text.toString().contains("75.00%"), text::toString);
    }
}
