// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import io.l4lb.xdp.TestRun;
import java.util.OptionalInt;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/** bpf(2) on programs. */
public final class ProgramCalls {
    /*
     * struct bpf_test_run_opts { size_t sz; const void *data_in; void *data_out; __u32 data_size_in,
     *   data_size_out; const void *ctx_in; void *ctx_out; __u32 ctx_size_in, ctx_size_out, retval;
     *   int repeat; __u32 duration, flags, cpu, batch_size; }
     */
    private static final int SIZE = 80;
    private static final int DATA_IN = 8;
    private static final int DATA_OUT = 16;
    private static final int DATA_SIZE_IN = 24;
    private static final int DATA_SIZE_OUT = 28;
    private static final int CONTEXT_IN = 32;
    private static final int CONTEXT_OUT = 40;
    private static final int CONTEXT_SIZE_IN = 48;
    private static final int CONTEXT_SIZE_OUT = 52;
    private static final int RETURN_VALUE = 56;
    private static final int REPEAT = 60;
    private static final int DURATION = 64;

    /** Room for what a program puts in front. */
    private static final int GROWTH = 256;

    private ProgramCalls() {}

    /** Empty if there is no such program (any more). */
    public static OptionalInt openById(int id) {
        int result = Native.libbpf().bpf_prog_get_fd_by_id(id);
        if (Errno.ENOENT.is(result)) {
            return OptionalInt.empty();
        }
        if (result < 0) {
            throw BpfException.of("open program by id " + id, result, "");
        }
        return OptionalInt.of(result);
    }

    /** One BPF_PROG_TEST_RUN; an empty context is none. */
    public static TestRun testRun(String program, int descriptor, byte[] packet, byte[] context, int repeat) {
        /* One piece of memory: the structure, then what it points to, each part aligned to 8 bytes. */
        int packetIn = SIZE;
        int contextIn = packetIn + align(packet.length);
        int contextOut = contextIn + align(context.length);
        int packetOut = contextOut + align(context.length);
        int room = packet.length + GROWTH;
        Pointer options = Memory.allocateDirect(Runtime.getSystemRuntime(), packetOut + room, true);
        options.put(packetIn, packet, 0, packet.length);
        options.put(contextIn, context, 0, context.length);
        options.putLong(0, SIZE);
        options.putAddress(DATA_IN, options.address() + packetIn);
        options.putAddress(DATA_OUT, options.address() + packetOut);
        options.putInt(DATA_SIZE_IN, packet.length);
        options.putInt(DATA_SIZE_OUT, room);
        options.putInt(REPEAT, repeat);
        if (context.length > 0) {
            options.putAddress(CONTEXT_IN, options.address() + contextIn);
            options.putAddress(CONTEXT_OUT, options.address() + contextOut);
            options.putInt(CONTEXT_SIZE_IN, context.length);
            options.putInt(CONTEXT_SIZE_OUT, context.length);
        }
        int result = Native.libbpf().bpf_prog_test_run_opts(descriptor, options);
        if (result < 0) {
            throw BpfException.of("test-run program " + program, result, "");
        }
        return new TestRun(
                options.getInt(RETURN_VALUE),
                bytes(options.slice(packetOut), options.getInt(DATA_SIZE_OUT)),
                bytes(options.slice(contextOut), context.length),
                Integer.toUnsignedLong(options.getInt(DURATION)));
    }

    private static int align(int length) {
        return (length + 7) & ~7;
    }

    private static byte[] bytes(Pointer memory, int length) {
        byte[] bytes = new byte[length];
        memory.get(0, bytes, 0, length);
        return bytes;
    }
}
