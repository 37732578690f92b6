// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.UpdateMode;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** One XDP program inside of a wrapper of its own, see {@code wrapper.bpf.c}. One thread at a time. */
final class PacketWrapper implements AutoCloseable {
    /* struct run of wrapper.bpf.c, in the host's byte order */
    private static final int SIZE = 120;
    private static final int NEXT = 8;
    private static final int RETURNED = 24;
    private static final int VERDICTS = 8;
    private static final int RESTORED = 88;
    private static final int RESTORED_BYTES = 32;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final BpfObject object;
    private final BpfMap run;
    private final ProgramHandle wrapper;

    PacketWrapper(ProgramHandle timed) {
        object = BenchObject.WRAPPER.load();
        run = object.map(".bss");
        wrapper = object.program("wrapper");
        try (BpfMap calls = object.map("timed")) {
            calls.updateFd(0, timed);
        }
    }

    /**
     * What many packets took.
     *
     * @param nanos processor time of the calling thread for each packet, the wrapper's included
     * @param next number of the flow that would come next
     * @param returned how often the program returned 0, 1, ... 7
     */
    record Outcome(double nanos, int next, List<Long> returned) {
        Outcome {
            returned = List.copyOf(returned);
        }
    }

    /**
     * Sends packets through the program.
     *
     * @param first number of the first packet's flow
     */
    Outcome send(Traffic traffic, int first, int packets) {
        byte[] frame = traffic.frame();
        ByteBuffer state = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        state.putInt(frame.length).putInt(traffic.flows()).putInt(first).putInt(traffic.source());
        state.putInt(Traffic.SOURCE_OFFSET).putInt(Traffic.PORT_OFFSET);
        state.position(RESTORED).put(frame, 0, RESTORED_BYTES).clear();
        ByteBuffer zero = ByteBuffer.allocate(Integer.BYTES);
        run.update(zero, state, UpdateMode.ANY);
        long before = threads.getCurrentThreadCpuTime();
        wrapper.testRun(frame, packets);
        long nanos = threads.getCurrentThreadCpuTime() - before;
        ByteBuffer after = run.lookup(zero).orElseThrow();
        long[] returned = new long[VERDICTS];
        after.position(RETURNED).asLongBuffer().get(returned);
        return new Outcome(
                (double) nanos / packets,
                after.getInt(NEXT),
                Arrays.stream(returned).boxed().toList());
    }

    /** Gives the wrapper and its array of programs names. */
    void pin(Path program) {
        wrapper.pin(program);
    }

    @Override
    public void close() {
        run.close();
        wrapper.close();
        object.close();
    }
}
