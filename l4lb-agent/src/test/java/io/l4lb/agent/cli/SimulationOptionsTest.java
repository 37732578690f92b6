// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.cli.SimulationOptions.Change;
import org.junit.jupiter.api.Test;

class SimulationOptionsTest {
    @Test
    void changes() {
        assertEquals(new Change("+1%", 1.01), SimulationOptions.change("1%"));
        assertEquals(new Change("+12.5%", 1.125), SimulationOptions.change("+12.5%"));
        assertEquals(new Change("-50%", 0.5), SimulationOptions.change("-50%"));
        assertEquals(new Change("+900%", 10), SimulationOptions.change("900%"));
    }
}
