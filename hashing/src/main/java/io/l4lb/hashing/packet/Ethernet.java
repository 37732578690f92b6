// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;

/**
 * The front of a frame: two addresses, up to two VLAN tags (IEEE 802.1Q, type 0x8100 or 0x88a8, four bytes each), and
 * the type of what follows.
 */
public final class Ethernet {
    /** Type of IPv4 (RFC 894). */
    public static final int IPV4 = 0x0800;
    /** Type of IPv6 (RFC 2464). */
    public static final int IPV6 = 0x86dd;

    /** Length without tags. */
    public static final int BYTES = 14;

    private static final int CUSTOMER_TAG = 0x8100;
    private static final int SERVICE_TAG = 0x88a8;
    private static final int MAX_TAGS = 2;
    private static final int TAG_BYTES = 4;
    private static final int TYPE_BYTES = 2;
    private static final int SOURCE_AT = MacAddress.BYTES;
    private static final int TAGS_AT = 2 * MacAddress.BYTES;

    private final byte[] frame;
    private final int typeAt;

    private Ethernet(byte[] frame, int typeAt) {
        this.frame = frame;
        this.typeAt = typeAt;
    }

    /** Reads the header; empty if the frame ends within it. A third tag is left standing as the type. */
    public static Optional<Ethernet> read(byte[] frame) {
        int typeAt = TAGS_AT;
        for (int tags = 0; typeAt + TYPE_BYTES <= frame.length; tags++) {
            int type = NetworkOrder.u16(frame, typeAt);
            if (tags == MAX_TAGS || (type != CUSTOMER_TAG && type != SERVICE_TAG)) {
                return Optional.of(new Ethernet(frame, typeAt));
            }
            typeAt += TAG_BYTES;
        }
        return Optional.empty();
    }

    /** Whom the frame is for. */
    public MacAddress destination() {
        return MacAddress.read(frame, 0);
    }

    /** Who sent the frame. */
    public MacAddress source() {
        return MacAddress.read(frame, SOURCE_AT);
    }

    /** Type of what follows, behind all tags. */
    public int type() {
        return NetworkOrder.u16(frame, typeAt);
    }

    /** Length with the tags: 14, 18 or 22; where the packet begins. */
    public int length() {
        return typeAt + TYPE_BYTES;
    }

    /** Writes a header without tags. */
    public static void write(byte[] into, MacAddress destination, MacAddress source, int type) {
        NetworkOrder.put(into, 0, destination.toBytes());
        NetworkOrder.put(into, SOURCE_AT, source.toBytes());
        NetworkOrder.put16(into, TAGS_AT, type);
    }

    /**
     * Writes a header with this one's tags and other addresses and type.
     *
     * @param into gets {@link #length()} bytes from index 0
     */
    public void writeWithTags(byte[] into, MacAddress destination, MacAddress source, int type) {
        NetworkOrder.put(into, 0, destination.toBytes());
        NetworkOrder.put(into, SOURCE_AT, source.toBytes());
        System.arraycopy(frame, TAGS_AT, into, TAGS_AT, typeAt - TAGS_AT);
        NetworkOrder.put16(into, typeAt, type);
    }

    /** Writes the header of an answer: the same tags and type, back to whom this one came from. */
    public void writeAnswer(byte[] into) {
        writeAnswer(into, type());
    }

    /** The same with another type. */
    public void writeAnswer(byte[] into, int type) {
        MacAddress asking = source();
        MacAddress answering = destination();
        writeWithTags(into, asking, answering, type);
    }
}
