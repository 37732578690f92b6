// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.LinkCalls;
import java.util.Optional;
import java.util.OptionalInt;

/** Attaches programs to interfaces, which are named by index in the calling thread's network namespace. */
public final class Links {
    /* enum bpf_attach_type; libbpf 1.1 passes on the ones that it does not know. */
    private static final int ATTACH_XDP = 37;
    private static final int ATTACH_TCX_INGRESS = 46;
    private static final int ATTACH_TCX_EGRESS = 47;

    private static final int TCX_MAJOR = 6;
    private static final int TCX_MINOR = 6;
    private static final int LINK_MAJOR = 5;
    private static final int LINK_MINOR = 9;

    private Links() {}

    /**
     * Attaches an XDP program by a link.
     *
     * @throws InterfaceBusyException if the interface has an XDP program already
     * @throws BpfUnsupportedException if links for XDP are not supported (before Linux 5.9) or not permitted
     */
    public static XdpAttachment attachXdp(ProgramHandle program, int ifindex, XdpMode mode) {
        if (mode == XdpMode.GENERIC) {
            return new XdpAttachment(createXdp(program, ifindex, mode), mode, "");
        }
        try {
            return new XdpAttachment(createXdp(program, ifindex, XdpMode.NATIVE), XdpMode.NATIVE, "");
        } catch (InterfaceBusyException | BpfUnsupportedException e) {
            throw e;
        } catch (BpfException e) {
            /* Drivers refuse with EOPNOTSUPP, EINVAL, ERANGE and others; generic mode fails again if it is not that. */
            if (mode == XdpMode.NATIVE || e.is(Errno.ENODEV)) {
                throw e;
            }
            return new XdpAttachment(createXdp(program, ifindex, XdpMode.GENERIC), XdpMode.GENERIC, e.errno());
        }
    }

    private static Link createXdp(ProgramHandle program, int ifindex, XdpMode mode) {
        String operation =
                "attach XDP program " + program.name() + " to interface " + ifindex + " in " + mode + " mode";
        int result = LinkCalls.create(program.number(), ifindex, ATTACH_XDP, mode.flag());
        if (Errno.EBUSY.is(result) || Errno.EEXIST.is(result)) {
            throw InterfaceBusyException.on(ifindex, operation, result);
        }
        if (result < 0) {
            throw KernelRelease.here().failure(operation, result, "an XDP link", LINK_MAJOR, LINK_MINOR);
        }
        return new Link(new Descriptor(result));
    }

    /** The XDP program that an interface has, whoever attached it. */
    public static Optional<AttachedXdp> attachedXdp(int ifindex) {
        LinkCalls.Attached attached = LinkCalls.query(ifindex);
        if (attached.nativeProgram() != 0) {
            return Optional.of(new AttachedXdp(XdpMode.NATIVE, attached.nativeProgram()));
        }
        if (attached.genericProgram() != 0) {
            return Optional.of(new AttachedXdp(XdpMode.GENERIC, attached.genericProgram()));
        }
        return Optional.empty();
    }

    /** The id of the link that holds that program on that interface; empty if it is there without a link. */
    public static OptionalInt xdpLink(int ifindex, int programId) {
        OptionalInt id = LinkCalls.nextId(0);
        while (id.isPresent()) {
            OptionalInt number = LinkCalls.openById(id.getAsInt());
            if (number.isPresent()) {
                try (Link link = new Link(new Descriptor(number.getAsInt()))) {
                    if (link.isXdp() && link.programId() == programId && link.ifindex() == ifindex) {
                        return id;
                    }
                }
            }
            id = LinkCalls.nextId(id.getAsInt());
        }
        return OptionalInt.empty();
    }

    /**
     * Attaches a tc program to what leaves an interface, behind the ones that are there.
     *
     * @throws BpfUnsupportedException before Linux 6.6, or if not permitted
     */
    public static Link attachTcxEgress(ProgramHandle program, int ifindex) {
        return attachTcx(program, ifindex, ATTACH_TCX_EGRESS, "egress");
    }

    /** As {@link #attachTcxEgress}, to what comes in. */
    public static Link attachTcxIngress(ProgramHandle program, int ifindex) {
        return attachTcx(program, ifindex, ATTACH_TCX_INGRESS, "ingress");
    }

    private static Link attachTcx(ProgramHandle program, int ifindex, int type, String direction) {
        String operation = "attach program " + program.name() + " to " + direction + " of interface " + ifindex;
        int result = LinkCalls.create(program.number(), ifindex, type, 0);
        if (result >= 0) {
            return new Link(new Descriptor(result));
        }
        throw KernelRelease.here().failure(operation, result, "tcx", TCX_MAJOR, TCX_MINOR);
    }
}
