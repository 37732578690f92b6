// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.net.InetAddress;
import java.util.Optional;

/**
 * An address of an interface (struct ifaddrmsg, include/uapi/linux/if_addr.h).
 *
 * @param scope the kernel's number: 0 global, 253 link, 254 host
 * @param tentative duplicate address detection has not passed (yet): the kernel does not send from it
 */
public record InterfaceAddress(InetAddress address, int prefixLength, int scope, boolean tentative) {
    public static final int SCOPE_GLOBAL = 0;
    public static final int SCOPE_LINK = 253;
    public static final int SCOPE_HOST = 254;

    static final int GET = 22;

    private static final int HEADER = 8;
    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    private static final int IFA_FLAGS = 8;
    private static final int TENTATIVE_OR_DUPLICATE = 0x40 | 0x08;

    static Octets query(AddressFamily family, int interfaceIndex) {
        return new OctetsWriter()
                .u8(family.number())
                .zeros(3)
                .u32Host(interfaceIndex)
                .toOctets();
    }

    /** Empty for another interface's address, or one of another family, should the kernel not have filtered. */
    static Optional<InterfaceAddress> decode(NetlinkMessage message, AddressFamily family, int interfaceIndex) {
        Octets payload = message.payload();
        if (payload.u8(0) != family.number() || payload.i32Host(4) != interfaceIndex) {
            return Optional.empty();
        }
        AttributeReader attributes = AttributeReader.of(payload.from(HEADER));
        int flags = attributes.find(IFA_FLAGS).map(value -> value.i32Host(0)).orElse(payload.u8(2));
        // On a point-to-point link IFA_ADDRESS is the peer's, IFA_LOCAL ours; IPv6 has only the former.
        Octets own = attributes.find(IFA_LOCAL).orElseGet(() -> attributes.require(IFA_ADDRESS, "IFA_ADDRESS"));
        return Optional.of(new InterfaceAddress(
                own.toAddress(), payload.u8(1), payload.u8(3), (flags & TENTATIVE_OR_DUPLICATE) != 0));
    }
}
