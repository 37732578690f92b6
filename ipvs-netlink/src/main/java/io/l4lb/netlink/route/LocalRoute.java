// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.net.InetAddress;
import java.util.Optional;

/**
 * Makes one address the host's own (a route of type local, struct rtmsg in include/uapi/linux/rtnetlink.h): the address of an
 * interface, or one that is none.
 *
 * @param protocol who made it (rtm_protocol, 0 to 255): {@link #PROTOCOL_KERNEL} for an interface's address
 * @param preferredSource the address that the host itself sends from to this one; empty: this one
 */
public record LocalRoute(InetAddress address, int protocol, Optional<InetAddress> preferredSource) {
    /** RTPROT_KERNEL. */
    public static final int PROTOCOL_KERNEL = 2;

    static final int DELETE = 25;

    private static final int HEADER = 12;
    private static final int HEADER_PREFIX = 1;
    private static final int HEADER_PROTOCOL = 5;
    private static final int HEADER_TYPE = 7;
    private static final int TYPE_LOCAL = 2;
    private static final int TABLE_LOCAL = 255;
    private static final int SCOPE_HOST = 254;
    private static final int RTA_DST = 1;
    private static final int RTA_OIF = 4;
    private static final int RTA_PREFSRC = 7;
    /** The first interface of every network namespace, lo (LOOPBACK_IFINDEX in include/net/flow.h). */
    private static final int LOOPBACK = 1;

    public LocalRoute {
        if (protocol < 0 || protocol > 255) {
            throw new IllegalArgumentException("protocol " + protocol);
        }
    }

    /** All host routes of the table local, made by one protocol; 0: by any. */
    static Octets queryAll(AddressFamily family, int protocol) {
        return header(family, 0, protocol, 0).toOctets();
    }

    /** As a route to be made, by the interface lo. */
    Octets encode() {
        AddressFamily family = AddressFamily.of(address);
        AttributeWriter attributes = new AttributeWriter().address(RTA_DST, address);
        preferredSource.ifPresent(source -> attributes.address(RTA_PREFSRC, source));
        attributes.u32Host(RTA_OIF, LOOPBACK);
        return header(family, family.bits(), protocol, SCOPE_HOST)
                .octets(attributes.toOctets())
                .toOctets();
    }

    /** The routes by lo that make an address local and were made by a protocol, whatever their source. */
    static Octets encodeDelete(InetAddress address, int protocol) {
        return new LocalRoute(address, protocol, Optional.empty()).encode();
    }

    /** Empty for routes of other kinds, and for those of more than one address. */
    static Optional<LocalRoute> decode(NetlinkMessage message) {
        Octets payload = message.payload();
        if (payload.u8(HEADER_TYPE) != TYPE_LOCAL) {
            return Optional.empty();
        }
        AttributeReader attributes = AttributeReader.of(payload.from(HEADER));
        return attributes
                .find(RTA_DST)
                .map(Octets::toAddress)
                .filter(address -> payload.u8(0) == AddressFamily.of(address).number()
                        && payload.u8(HEADER_PREFIX)
                                == AddressFamily.of(address).bits())
                .map(address -> new LocalRoute(
                        address,
                        payload.u8(HEADER_PROTOCOL),
                        attributes.find(RTA_PREFSRC).map(Octets::toAddress)));
    }

    private static OctetsWriter header(AddressFamily family, int bits, int protocol, int scope) {
        return new OctetsWriter()
                .u8(family.number())
                .u8(bits)
                .zeros(2)
                .u8(TABLE_LOCAL)
                .u8(protocol)
                .u8(scope)
                .u8(TYPE_LOCAL)
                .u32Host(0);
    }
}
