// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;

/** A UDP header (RFC 768). */
public final class Udp {
    /** Length. */
    public static final int BYTES = 8;

    private static final int DESTINATION_PORT_AT = 2;
    private static final int LENGTH_AT = 4;

    private final byte[] bytes;
    private final int at;

    private Udp(byte[] bytes, int at) {
        this.bytes = bytes;
        this.at = at;
    }

    /** Reads a header; empty if it is not whole. */
    public static Optional<Udp> read(byte[] bytes, int at, int to) {
        return to - at < BYTES ? Optional.empty() : Optional.of(new Udp(bytes, at));
    }

    /** Writes a header without a checksum. */
    public static void write(byte[] into, int at, Ports ports, int length) {
        NetworkOrder.put16(into, at, ports.source());
        NetworkOrder.put16(into, at + DESTINATION_PORT_AT, ports.destination());
        NetworkOrder.put16(into, at + LENGTH_AT, length);
    }

    /** The port that the datagram is for, 0 to 65535. */
    public int destinationPort() {
        return NetworkOrder.u16(bytes, at + DESTINATION_PORT_AT);
    }

    /** Bytes of the datagram with this header, as it says: of a fragment, more than there are. */
    public int length() {
        return NetworkOrder.u16(bytes, at + LENGTH_AT);
    }

    /** Where the payload begins. */
    public int payloadAt() {
        return at + BYTES;
    }
}
