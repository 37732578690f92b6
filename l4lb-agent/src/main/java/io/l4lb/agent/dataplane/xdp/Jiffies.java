// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How the kernel's jiffies stand to CLOCK_MONOTONIC, so that the balancer tells the time by one load instead of a call.
 *
 * <p>A kernel does not say how long its jiffies are. But they count from {@code INITIAL_JIFFIES}
 * (include/linux/jiffies.h), which is -300 s as 32 bits, when the clock is 0; so one look at both gives their length,
 * unless it is close to 300 s after the start, when jiffies of every length have the same value.
 *
 * @param length of a jiffy in ns; 0: not known
 * @param atZero what they would have been when the clock was 0
 */
record Jiffies(int length, long atZero) {
    /** Nothing is known. */
    static final Jiffies UNKNOWN = new Jiffies(0, 0);

    private static final long SECOND = 1_000_000_000L;
    private static final long WRAP = 1L << 32;
    private static final long MEETING = 300 * SECOND;
    /** So far from the meeting the lengths differ by more than the clocks, which do not start at the very same time. */
    private static final long DISTANCE = 30 * SECOND;
    /** What kernel/Kconfig.hz offers. */
    private static final int[] A_SECOND = {100, 250, 300, 1000};

    private static final double TOLERANCE = 0.05;
    private static final byte[] ANY_FRAME = new byte[64];

    /**
     * What both were at one moment.
     *
     * @param monotonic in ns
     */
    static Jiffies of(long jiffies, long monotonic) {
        if (Math.abs(monotonic - MEETING) < DISTANCE) {
            return UNKNOWN;
        }
        double measured = (double) (jiffies - WRAP) * SECOND / (monotonic - MEETING);
        for (int perSecond : A_SECOND) {
            if (Math.abs(measured / perSecond - 1) < TOLERANCE) {
                int length = (int) (SECOND / perSecond);
                return new Jiffies(length, jiffies - monotonic / length);
            }
        }
        return UNKNOWN;
    }

    /** Asks the kernel. */
    static Jiffies read() {
        try (BpfObject object =
                        BpfObject.open("clock", BpfProgram.CLOCK.object()).load();
                BpfMap clocks = object.map("clocks");
                ProgramHandle program = object.program("read_clocks")) {
            program.testRun(ANY_FRAME);
            ByteBuffer now = clocks.lookup(Word.encode(0)).orElseThrow().order(ByteOrder.nativeOrder());
            return of(now.getLong(), now.getLong());
        }
    }
}
