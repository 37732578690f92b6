// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * {@code struct address} of {@code l4lb.h}: 16 bytes in network byte order, IPv4 as ::ffff:a.b.c.d (RFC 4291, section
 * 2.5.5.2).
 */
final class MappedAddress {
    static final int SIZE = 16;

    private MappedAddress() {}

    static void put(ByteBuffer buffer, InetAddress address) {
        if (address instanceof Inet4Address) {
            buffer.put(new byte[10]).put((byte) 0xff).put((byte) 0xff);
        }
        buffer.put(address.getAddress());
    }

    static InetAddress get(ByteBuffer buffer) {
        byte[] bytes = new byte[SIZE];
        buffer.get(bytes);
        try {
            return InetAddress.getByAddress(bytes); // makes an Inet4Address of a mapped one
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
