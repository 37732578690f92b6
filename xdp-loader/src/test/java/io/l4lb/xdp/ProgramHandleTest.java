// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Frame;
import io.l4lb.test.Machine;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that are run many times, or called by others. */
@Tag("kernel")
class ProgramHandleTest {
    private static final byte[] FRAME =
            Frame.tcp("198.51.100.7", 40000, "192.0.2.1", 80).bytes();

    @BeforeEach
    void need() {
        Machine.needBpf();
    }

    @Test
    void manyRunsGiveTheLastOneAndTheirMeanTime() {
        try (BpfObject object = BpfObject.open("pass", BpfProgram.PASS.object()).load();
                ProgramHandle pass = object.program("pass")) {
            TestRun run = pass.testRun(FRAME, 1000);
            assertEquals(Balancer.XDP_PASS, run.returnValue());
            assertArrayEquals(FRAME, run.packet());
            assertTrue(run.nanoseconds() < 1_000_000_000, run.nanoseconds() + " ns");
            assertThrows(IllegalArgumentException.class, () -> pass.testRun(FRAME, 0));
        }
    }

    @Test
    void arrayOfProgramsTakesOne() {
        try (BpfObject object =
                        BpfObject.open("balancer", BpfProgram.BALANCER.object()).load();
                BpfMap chain = object.map("chain");
                ProgramHandle balancer = object.program("balancer")) {
            chain.updateFd(0, balancer);
            assertEquals(
                    balancer.id(), chain.lookup(Balancer.word(0)).orElseThrow().getInt());
        }
    }
}
