// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.util.ArrayList;
import java.util.List;

/** The datagrams that answer a request. */
record Reply(NetlinkMessage request) {
    /** The type of requests to the family that knows the others. */
    static final int CONTROL = 0x10;
    /** The type of requests to IPVS. */
    static final int FAMILY = 0x20;

    private static final int PORT = 1;
    private static final int DATAGRAM = 3500;

    boolean isDump() {
        return (request.flags() & NetlinkMessage.FLAG_DUMP) == NetlinkMessage.FLAG_DUMP;
    }

    /** CTRL_CMD_NEWFAMILY of IPVS, or ENOENT for another name. */
    List<Octets> family() {
        String name = Request.of(request.payload().from(4)).octets(2).toText();
        if (!name.equals("IPVS")) {
            return refusal(2);
        }
        Octets attributes = new AttributeWriter()
                .text(2, name)
                .u16Host(1, FAMILY)
                .u32Host(3, 1)
                .toOctets();
        return List.of(message(CONTROL, 0, 1, attributes), acknowledgement(0));
    }

    List<Octets> one(int command, Octets attributes) {
        return List.of(message(FAMILY, 0, command, attributes), acknowledgement(0));
    }

    /** Several entries in a datagram, then DONE. */
    List<Octets> dump(int command, List<Octets> entries) {
        List<Octets> datagrams = new ArrayList<>();
        OctetsWriter datagram = new OctetsWriter();
        for (Octets entry : entries) {
            if (datagram.length() > DATAGRAM) {
                datagrams.add(datagram.toOctets());
                datagram = new OctetsWriter();
            }
            datagram.octets(message(FAMILY, NetlinkMessage.FLAG_MULTI, command, entry));
        }
        datagram.octets(control(NetlinkMessage.DONE, NetlinkMessage.FLAG_MULTI, Octets.of(new byte[4])));
        datagrams.add(datagram.toOctets());
        return datagrams;
    }

    /** The ack, if it was asked for. */
    List<Octets> success() {
        return request.has(NetlinkMessage.FLAG_ACK) ? List.of(acknowledgement(0)) : List.of();
    }

    List<Octets> refusal(int errno) {
        return List.of(acknowledgement(errno));
    }

    private Octets acknowledgement(int errno) {
        Octets header = request.encode().slice(0, 16);
        Octets payload = new OctetsWriter().u32Host(-errno).octets(header).toOctets();
        return control(NetlinkMessage.ERROR, NetlinkMessage.FLAG_CAPPED, payload);
    }

    private Octets message(int type, int flags, int command, Octets attributes) {
        Octets payload =
                new OctetsWriter().u8(command).u8(1).zeros(2).octets(attributes).toOctets();
        return new NetlinkMessage(type, flags, request.sequence(), PORT, payload).encode();
    }

    private Octets control(int type, int flags, Octets payload) {
        return new NetlinkMessage(type, flags, request.sequence(), PORT, payload).encode();
    }
}
