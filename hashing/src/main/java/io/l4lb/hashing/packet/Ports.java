// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;

/**
 * The four bytes with which the headers of all protocols with ports begin.
 *
 * @param source 0 to 65535
 * @param destination 0 to 65535
 */
public record Ports(int source, int destination) {
    /** Of a protocol without ports. */
    public static final Ports NONE = new Ports(0, 0);
    /** Length. */
    public static final int BYTES = 4;

    /** Whether packets of that protocol carry ports: TCP, UDP, DCCP, SCTP, UDP-Lite. */
    public static boolean areIn(int protocol) {
        return switch (protocol) {
            case IpProtocol.TCP, IpProtocol.UDP, IpProtocol.DCCP, IpProtocol.SCTP, IpProtocol.UDP_LITE -> true;
            default -> false;
        };
    }

    /** Reads them, or gives {@link #NONE} for a protocol without ports; empty if they are not whole. */
    public static Optional<Ports> read(byte[] bytes, int protocol, int at, int to) {
        if (!areIn(protocol)) {
            return Optional.of(NONE);
        }
        return to - at < BYTES
                ? Optional.empty()
                : Optional.of(new Ports(NetworkOrder.u16(bytes, at), NetworkOrder.u16(bytes, at + 2)));
    }
}
