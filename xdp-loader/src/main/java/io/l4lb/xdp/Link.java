// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import io.l4lb.xdp.internal.jnr.LinkCalls;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/** A handle on a bpf_link: an attachment that lasts as long as a handle or a pin refers to it. */
public final class Link implements AutoCloseable {
    /* struct bpf_link_info { __u32 type, id, prog_id; union at 16 { struct { __u32 ifindex; } xdp; ... tcx; } } */
    private static final int INFO_SIZE = 24;
    private static final int INFO_ID = 4;
    private static final int INFO_PROGRAM = 8;
    private static final int INFO_INTERFACE = 16;
    private static final int TYPE_XDP = 6;
    private static final int TYPE_TCX = 11;

    private final Descriptor descriptor;
    private final int id;

    Link(Descriptor descriptor) {
        this.descriptor = descriptor;
        try {
            this.id = info().getInt(INFO_ID);
        } catch (RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /** The link that is pinned there; empty if nothing is. */
    public static Optional<Link> openPinned(Path path) {
        return Pins.open(path, "link").map(Link::new);
    }

    private ByteBuffer info() {
        return Descriptors.info("read the link's info", descriptor.number(), INFO_SIZE);
    }

    /** The kernel's id, unique while the link exists. */
    public int id() {
        return id;
    }

    /** The kernel's id of the program that it holds now. */
    public int programId() {
        return info().getInt(INFO_PROGRAM);
    }

    /** Index of the interface in that interface's namespace; 0 if the interface is gone or the link detached. */
    public int ifindex() {
        ByteBuffer info = info();
        int type = info.getInt(0);
        if (type != TYPE_XDP && type != TYPE_TCX) {
            throw new IllegalStateException("a link of type " + type + " has no interface");
        }
        return info.getInt(INFO_INTERFACE);
    }

    boolean isXdp() {
        return info().getInt(0) == TYPE_XDP;
    }

    /** Replaces the program: every packet sees the old one or the new one, none sees nothing. */
    public void update(ProgramHandle program) {
        LinkCalls.update(descriptor.number(), program.number());
    }

    /** Gives the link a name in a bpffs, which keeps it alive. The name must be free. */
    public void pin(Path path) {
        Pins.pin(descriptor, path);
    }

    /** Removes a name; whether there was one. Without any name and handle, the program is detached. */
    public static boolean unpin(Path path) {
        return Pins.remove(path);
    }

    /** Takes the program off the interface, whatever pins and handles there are. */
    public void detach() {
        LinkCalls.detach(descriptor.number());
    }

    @Override
    public void close() {
        descriptor.close();
    }
}
