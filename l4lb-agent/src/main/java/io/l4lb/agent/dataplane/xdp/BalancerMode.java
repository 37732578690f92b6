// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfUnsupportedException;
import io.l4lb.xdp.InterfaceBusyException;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;

/** How the balancer runs on one interface: natively if it can and may, else generically, which is said loudly. */
final class BalancerMode {
    private static final System.Logger LOG = System.getLogger(BalancerMode.class.getName());

    private final String name;
    private final XdpMode configured;
    private XdpMode actual = XdpMode.AUTO;
    private String note = "";

    BalancerMode(String name, XdpMode configured) {
        this.name = name;
        this.configured = configured;
    }

    /**
     * Attaches it.
     *
     * @param wanted what is configured, or closer than that
     * @throws DataplaneException if the driver has no native mode, and that is configured
     */
    Link attach(ProgramHandle program, int index, XdpMode wanted) {
        try {
            XdpAttachment attachment = Links.attachXdp(program, index, wanted);
            note = attachment.whyNotNative().isEmpty()
                    ? ""
                    : "XDP runs in generic mode on " + name + ", which is slow: its driver has no native XDP ("
                            + attachment.whyNotNative() + ")";
            return attachment.link();
        } catch (InterfaceBusyException | BpfUnsupportedException e) {
            throw e;
        } catch (BpfException e) {
            if (wanted != XdpMode.NATIVE) {
                throw e;
            }
            throw new DataplaneException(
                    "interface " + name + ": its driver refuses native XDP (" + e.errno()
                            + "); set mode = \"auto\" to run in generic mode then, which is slow",
                    e);
        }
    }

    /**
     * Looks how it is attached.
     *
     * @param found whether it was there before
     */
    void follow(int index, boolean found) {
        actual = Links.attachedXdp(index)
                .map(AttachedXdp::mode)
                .orElseThrow(() -> new DataplaneException("interface " + name + ": the XDP program is not on it"));
        if (found && configured != XdpMode.AUTO && actual != configured) {
            note = "XDP mode stays " + actual.word() + " on " + name
                    + ": the program that is attached is replaced, its link is kept";
        } else if (found && actual == XdpMode.GENERIC && configured == XdpMode.AUTO) {
            note = "XDP runs in generic mode on " + name + ", which is slow: it was attached so";
        }
        if (!note.isEmpty()) {
            LOG.log(System.Logger.Level.WARNING, note);
        }
    }

    /** {@link XdpMode#AUTO}: it was not attached yet. */
    XdpMode actual() {
        return actual;
    }

    /** What an operator should know; empty: nothing. */
    String note() {
        return note;
    }
}
