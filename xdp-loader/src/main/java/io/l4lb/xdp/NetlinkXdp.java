// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.LinkCalls;

/**
 * XDP programs that are on an interface without a link, as {@code ip link set dev X xdp} puts them there: they stay until
 * somebody takes them off, and nobody owns them. Interfaces are named by index in the calling thread's network
 * namespace.
 */
public final class NetlinkXdp {
    private static final int FLAG_IF_NONE = 1;

    private NetlinkXdp() {}

    /**
     * Puts a program on an interface that has none.
     *
     * @param mode {@link XdpMode#AUTO}: native if the driver can, which the kernel decides
     * @throws InterfaceBusyException if the interface has an XDP program
     */
    public static void attach(ProgramHandle program, int ifindex, XdpMode mode) {
        String operation = "put XDP program " + program.name() + " on interface " + ifindex;
        int result = LinkCalls.attachXdp(ifindex, program.number(), FLAG_IF_NONE | mode.flag());
        if (Errno.EBUSY.is(result) || Errno.EEXIST.is(result)) {
            throw InterfaceBusyException.on(ifindex, operation, result);
        }
        if (result < 0) {
            throw BpfException.of(operation, result, "");
        }
    }

    /**
     * Takes a program off an interface, if it is the one that is there.
     *
     * @param mode how it is attached
     * @throws InterfaceBusyException if a link holds it, whose owner alone can take it off
     * @throws BpfException EEXIST if another program is there by now
     */
    public static void detach(ProgramHandle program, int ifindex, XdpMode mode) {
        String operation = "take XDP program " + program.name() + " off interface " + ifindex;
        int result = LinkCalls.detachXdp(ifindex, program.number(), mode.flag());
        if (Errno.EBUSY.is(result)) {
            throw InterfaceBusyException.on(ifindex, operation, result);
        }
        if (result < 0) {
            throw BpfException.of(operation, result, "");
        }
    }
}
