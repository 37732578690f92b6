// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;

/** An address with a port, as IPVS has it on the wire: always 16 octets, an IPv4 address in the first 4 of them. */
final class Endpoint {
    private static final int ADDRESS = 16;

    private Endpoint() {}

    static Octets encode(InetAddress address) {
        Octets octets = Octets.of(address);
        return octets.plus(Octets.of(new byte[ADDRESS - octets.length()]));
    }

    /** Shorter attributes than 16 octets do, too, as long as the address is in them. */
    static InetAddress decode(AddressFamily family, Octets octets) {
        return octets.slice(0, family.bits() / 8).toAddress();
    }

    static AddressFamily family(int number) {
        return AddressFamily.ofNumber(number).orElseThrow(() -> malformed("address family " + number));
    }

    static NetlinkException malformed(String detail) {
        return new NetlinkException("decode IPVS message", Errno.EBADMSG, detail);
    }

    static void checkPort(int port) {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port " + port);
        }
    }

    static String text(InetAddress address, int port) {
        String host = address.getHostAddress();
        return (AddressFamily.of(address) == AddressFamily.INET ? host : "[" + host + "]") + ":" + port;
    }
}
