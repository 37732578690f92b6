// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.quic;

import java.util.Objects;
import java.util.Optional;

/**
 * The front of a QUIC packet, as far as it holds for every version (RFC 8999, sections 5.1 and 5.2):
 *
 * <pre>
 *     long:  1xxxxxxx | version (32) | length of destination ID (8) | destination ID | ...
 *     short: 0xxxxxxx | destination ID | ...
 * </pre>
 *
 * <p>The seven bits after the first belong to the version and are not looked at; the second, which versions 1 and 2 fix
 * to 1 (RFC 9000, 17.2), may be anything (RFC 9287). A short header does not say how long its ID is: only who gave the
 * ID knows. Of several packets coalesced in a datagram the first counts; all have the same destination ID (RFC 9000,
 * 12.2).
 *
 * @param form long or short
 * @param version of a long header, as an unsigned 32-bit number; 0 for version negotiation, and for a short header
 * @param connectionIdAt where in the array the destination connection ID begins
 * @param connectionIdLength octets of it, all of which are there: 0 to 255
 */
public record QuicHeader(Form form, int version, int connectionIdAt, int connectionIdLength) {
    /** QUIC version 1 (RFC 9000, section 15). */
    public static final int VERSION_1 = 0x00000001;
    /** QUIC version 2 (RFC 9369, section 3.1). */
    public static final int VERSION_2 = 0x6b3343cf;

    private static final int LONG_FORM = 0x80;
    private static final int VERSION_AT = 1;
    private static final int LENGTH_AT = VERSION_AT + Integer.BYTES;
    private static final int LONG_ID_AT = LENGTH_AT + 1;
    private static final int SHORT_ID_AT = 1;

    /** The two forms of a header. */
    public enum Form {
        /** While the connection is set up; carries version and lengths. */
        LONG,
        /** All of the time after that. */
        SHORT
    }

    /**
     * Reads the header of the first packet in a datagram. Any bytes will do.
     *
     * @param payload holds the UDP payload
     * @param from index of its first byte
     * @param to index behind its last byte
     * @param shortLength octets of the destination connection ID of a short header
     * @return empty if the payload ends before the destination connection ID does
     * @throws IndexOutOfBoundsException unless {@code 0 <= from <= to <= payload.length}
     */
    public static Optional<QuicHeader> read(byte[] payload, int from, int to, int shortLength) {
        Objects.checkFromToIndex(from, to, payload.length);
        int available = to - from;
        if (available < 1) {
            return Optional.empty();
        }
        if ((payload[from] & LONG_FORM) == 0) {
            boolean whole = available >= SHORT_ID_AT + shortLength;
            return whole
                    ? Optional.of(new QuicHeader(Form.SHORT, 0, from + SHORT_ID_AT, shortLength))
                    : Optional.empty();
        }
        if (available < LONG_ID_AT) {
            return Optional.empty();
        }
        int length = Byte.toUnsignedInt(payload[from + LENGTH_AT]);
        if (available < LONG_ID_AT + length) {
            return Optional.empty();
        }
        return Optional.of(new QuicHeader(Form.LONG, version(payload, from + VERSION_AT), from + LONG_ID_AT, length));
    }

    /** Whether the rest of the header, and with it the meaning of the connection ID, is known: version 1 or 2, or short. */
    public boolean isKnownVersion() {
        return form == Form.SHORT || version == VERSION_1 || version == VERSION_2;
    }

    private static int version(byte[] payload, int at) {
        int version = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            version = (version << 8) | Byte.toUnsignedInt(payload[at + i]);
        }
        return version;
    }
}
