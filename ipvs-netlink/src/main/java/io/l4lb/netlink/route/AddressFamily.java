// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import java.net.Inet4Address;
import java.net.InetAddress;

/** The address families of routing netlink, as Linux numbers them. */
enum AddressFamily {
    INET(2, 32),
    INET6(10, 128);

    private final int number;
    private final int bits;

    AddressFamily(int number, int bits) {
        this.number = number;
        this.bits = bits;
    }

    static AddressFamily of(InetAddress address) {
        return address instanceof Inet4Address ? INET : INET6;
    }

    int number() {
        return number;
    }

    int bits() {
        return bits;
    }
}
