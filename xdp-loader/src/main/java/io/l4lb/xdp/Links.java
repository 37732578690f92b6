// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.LinkCalls;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Attaches programs to interfaces, which are named by index in the calling thread's network namespace. */
public final class Links {
    /* enum bpf_attach_type; libbpf 1.1 passes on the ones that it does not know. */
    private static final int ATTACH_XDP = 37;
    private static final int ATTACH_TCX_INGRESS = 46;
    private static final int ATTACH_TCX_EGRESS = 47;

    private static final int FLAG_GENERIC = 1 << 1;
    private static final int FLAG_NATIVE = 1 << 2;

    private static final int TCX_MAJOR = 6;
    private static final int TCX_MINOR = 6;
    private static final Pattern RELEASE = Pattern.compile("(\\d+)\\.(\\d+).*");

    private Links() {}

    /**
     * Attaches an XDP program by a link.
     *
     * @throws InterfaceBusyException if the interface has an XDP program already
     * @throws BpfUnsupportedException if links for XDP are not supported (before Linux 5.9) or not permitted
     */
    public static XdpAttachment attachXdp(ProgramHandle program, int ifindex, XdpMode mode) {
        if (mode == XdpMode.GENERIC) {
            return new XdpAttachment(attachXdp(program, ifindex, mode, FLAG_GENERIC), mode, "");
        }
        try {
            return new XdpAttachment(attachXdp(program, ifindex, XdpMode.NATIVE, FLAG_NATIVE), XdpMode.NATIVE, "");
        } catch (InterfaceBusyException | BpfUnsupportedException e) {
            throw e;
        } catch (BpfException e) {
            /* Drivers refuse with EOPNOTSUPP, EINVAL, ERANGE and others; generic mode fails again if it is not that. */
            if (mode == XdpMode.NATIVE || e.is(Errno.ENODEV)) {
                throw e;
            }
            return new XdpAttachment(
                    attachXdp(program, ifindex, XdpMode.GENERIC, FLAG_GENERIC), XdpMode.GENERIC, e.errno());
        }
    }

    private static Link attachXdp(ProgramHandle program, int ifindex, XdpMode mode, int flag) {
        String operation =
                "attach XDP program " + program.name() + " to interface " + ifindex + " in " + mode + " mode";
        int result = LinkCalls.create(program.number(), ifindex, ATTACH_XDP, flag);
        if (Errno.EBUSY.is(result) || Errno.EEXIST.is(result)) {
            throw busy(operation, result, ifindex);
        }
        if (result < 0) {
            throw BpfException.of(operation, result, "");
        }
        return new Link(new Descriptor(result));
    }

    private static InterfaceBusyException busy(String operation, int result, int ifindex) {
        int id = attachedXdp(ifindex).map(AttachedXdp::programId).orElse(0);
        String name = "";
        Optional<ProgramHandle> found = id == 0 ? Optional.empty() : ProgramHandle.byId(id);
        if (found.isPresent()) {
            try (ProgramHandle foreign = found.get()) {
                name = foreign.name();
            }
        }
        return new InterfaceBusyException(operation, Errno.nameOf(result), id, name);
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
        String release = System.getProperty("os.version", "");
        if (isBefore(release, TCX_MAJOR, TCX_MINOR)) {
            throw new BpfUnsupportedException(
                    operation, Errno.nameOf(result), "tcx needs Linux 6.6 or newer, this is " + release);
        }
        throw BpfException.of(operation, result, "");
    }

    /** Whether a kernel release such as {@code 6.1.0-13-amd64} is older than that version; not if it cannot be read. */
    static boolean isBefore(String release, int major, int minor) {
        Matcher matcher = RELEASE.matcher(release);
        if (!matcher.matches()) {
            return false;
        }
        int hasMajor = Integer.parseInt(matcher.group(1));
        int hasMinor = Integer.parseInt(matcher.group(2));
        return hasMajor < major || (hasMajor == major && hasMinor < minor);
    }
}
