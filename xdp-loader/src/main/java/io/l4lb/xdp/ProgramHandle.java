// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import io.l4lb.xdp.internal.jnr.ProgramCalls;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** A handle on a loaded BPF program. */
public final class ProgramHandle implements AutoCloseable {
    /* struct bpf_prog_info { __u32 type, id; __u8 tag[8]; ... char name[16]; ... } */
    private static final int INFO_SIZE = 80;
    private static final int INFO_ID = 4;
    private static final int INFO_NAME = 64;
    private static final int NAME_LENGTH = 16;

    private final Descriptor descriptor;
    private final int id;
    private final String name;

    ProgramHandle(Descriptor descriptor) {
        this.descriptor = descriptor;
        try {
            ByteBuffer info = Descriptors.info("read the program's info", descriptor.number(), INFO_SIZE);
            this.id = info.getInt(INFO_ID);
            this.name = Descriptors.text(info, INFO_NAME, NAME_LENGTH);
        } catch (RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /** The program of that id; empty if there is none (any more). */
    public static Optional<ProgramHandle> byId(int id) {
        OptionalInt number = ProgramCalls.openById(id);
        return number.isEmpty() ? Optional.empty() : Optional.of(new ProgramHandle(new Descriptor(number.getAsInt())));
    }

    /** The program that is pinned there; empty if nothing is. */
    public static Optional<ProgramHandle> openPinned(Path path) {
        return Pins.open(path, "prog").map(ProgramHandle::new);
    }

    /** The kernel's id, unique while the program exists. */
    public int id() {
        return id;
    }

    /** The kernel's name of it: at most 15 characters. */
    public String name() {
        return name;
    }

    /** Gives the program a name in a bpffs, which keeps it alive. The name must be free. */
    public void pin(Path path) {
        Pins.pin(descriptor, path);
    }

    /** Runs the program once on a frame, without a network device. Its maps are the real ones. */
    public TestRun testRun(byte[] packet) {
        return testRun(packet, new byte[0]);
    }

    /**
     * Runs the program once on a frame.
     *
     * @param context the program's context, for instance a struct __sk_buff with a mark; may be empty
     */
    public TestRun testRun(byte[] packet, byte[] context) {
        return ProgramCalls.testRun(name, descriptor.number(), packet, context, 1);
    }

    /**
     * Runs the program many times. Each run gets the frame as the one before left it: the kernel does not restore it.
     *
     * @param repeat how often, at least once
     * @return the last run, and how long they took
     */
    public TestRun testRun(byte[] packet, int repeat) {
        if (repeat < 1) {
            throw new IllegalArgumentException(repeat + " runs");
        }
        return ProgramCalls.testRun(name, descriptor.number(), packet, new byte[0], repeat);
    }

    int number() {
        return descriptor.number();
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
