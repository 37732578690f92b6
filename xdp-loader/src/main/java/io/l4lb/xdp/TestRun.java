// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

/** What BPF_PROG_TEST_RUN gave back. */
public final class TestRun {
    private final int returnValue;
    private final byte[] packet;
    private final byte[] context;
    private final long nanoseconds;

    /**
     * @param returnValue the program's
     * @param packet the frame as the program left it
     * @param context the program's context as it left it, as long as the one given
     * @param nanoseconds of a run by the kernel's clock: the mean of all, rounded down
     */
    public TestRun(int returnValue, byte[] packet, byte[] context, long nanoseconds) {
        this.returnValue = returnValue;
        this.packet = packet.clone();
        this.context = context.clone();
        this.nanoseconds = nanoseconds;
    }

    /** What the program returned, for instance XDP_TX. */
    public int returnValue() {
        return returnValue;
    }

    /** The frame as the program left it. */
    public byte[] packet() {
        return packet.clone();
    }

    /** The program's context as it left it; empty if none was given. */
    public byte[] context() {
        return context.clone();
    }

    /** How long a run took by the kernel's clock, on average, with what the kernel does between two runs. */
    public long nanoseconds() {
        return nanoseconds;
    }
}
