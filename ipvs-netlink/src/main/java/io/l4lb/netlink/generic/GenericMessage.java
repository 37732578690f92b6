// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;

/** The payload of a generic netlink message: struct genlmsghdr (u8 command, u8 version, u16 reserved), then attributes. */
public record GenericMessage(int command, int version, AttributeReader attributes) {
    private static final int HEADER = 4;

    static Octets encode(int command, int version, Octets attributes) {
        return new OctetsWriter()
                .u8(command)
                .u8(version)
                .zeros(2)
                .octets(attributes)
                .toOctets();
    }

    static GenericMessage decode(NetlinkMessage message) {
        Octets payload = message.payload();
        return new GenericMessage(payload.u8(0), payload.u8(1), AttributeReader.of(payload.from(HEADER)));
    }
}
