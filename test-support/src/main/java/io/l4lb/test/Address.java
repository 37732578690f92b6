// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Addresses as tests write them. */
public final class Address {
    private Address() {}

    /** The address of an IPv4 or IPv6 literal. */
    public static InetAddress ip(String literal) {
        try {
            return InetAddress.getByName(literal);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(literal, e);
        }
    }
}
