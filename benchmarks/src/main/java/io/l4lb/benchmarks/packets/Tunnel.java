// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/** How a packet leaves: the first byte of what is behind the Ethernet header, its length, the protocol that it names. */
enum Tunnel {
    /** As it came. */
    NONE(0, 0, 0, 0),
    IPV4_IN_IPV4(20, 4, 9, 4),
    IPV6_IN_IPV6(40, 6, 6, 41),
    IPV4_IN_IPV6(40, 6, 6, 4),
    /** Generic UDP encapsulation over IPv4. */
    IPV4_IN_GUE(28, 4, 9, 17);

    private static final int ETHERNET = 14;

    private final int overhead;
    private final int version;
    private final int protocolOffset;
    private final int protocol;

    Tunnel(int overhead, int version, int protocolOffset, int protocol) {
        this.overhead = overhead;
        this.version = version;
        this.protocolOffset = protocolOffset;
        this.protocol = protocol;
    }

    /** Bytes in front of the packet. */
    int overhead() {
        return overhead;
    }

    /** Whether a frame's outer header is of this kind; true for none. */
    boolean isAround(byte[] frame) {
        return this == NONE
                || (frame.length > ETHERNET + overhead
                        && (frame[ETHERNET] & 0xff) >> 4 == version
                        && (frame[ETHERNET + protocolOffset] & 0xff) == protocol);
    }

    /** Where the outer destination is in the frame, in bytes. */
    int destinationOffset() {
        return ETHERNET + (version == 4 ? 16 : 24);
    }

    /** Length of the outer destination. */
    int addressLength() {
        return version == 4 ? 4 : 16;
    }
}
