// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.Optional;

/** The address families of IP, as Linux numbers them (AF_INET, AF_INET6). */
public enum AddressFamily {
    INET(2, 32),
    INET6(10, 128);

    private final int number;
    private final int bits;

    AddressFamily(int number, int bits) {
        this.number = number;
        this.bits = bits;
    }

    public static AddressFamily of(InetAddress address) {
        return address instanceof Inet4Address ? INET : INET6;
    }

    /** Empty for a family that is not IP. */
    public static Optional<AddressFamily> ofNumber(int number) {
        for (AddressFamily family : values()) {
            if (family.number == number) {
                return Optional.of(family);
            }
        }
        return Optional.empty();
    }

    public int number() {
        return number;
    }

    /** The length of an address in bits. */
    public int bits() {
        return bits;
    }
}
