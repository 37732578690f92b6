// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.Ipv4;
import io.l4lb.hashing.packet.Ipv6;
import io.l4lb.hashing.packet.Udp;
import java.net.InetAddress;

/** What stands between the outer IP header and the packet. */
public enum Encapsulation {
    /** Nothing: IP in IP (RFC 2003, 2473, 4213). */
    IPIP(0),
    /** A UDP header: generic UDP encapsulation, variant 1 (draft-ietf-intarea-gue, 4). */
    GUE(Udp.BYTES);

    private final int bytes;

    Encapsulation(int bytes) {
        this.bytes = bytes;
    }

    /** Its length. */
    int bytes() {
        return bytes;
    }

    /** Bytes that it puts in front of a packet to that real. */
    int overhead(InetAddress real) {
        return (Tunnel.isIpv4(real) ? Ipv4.BYTES : Ipv6.BYTES) + bytes;
    }
}
