// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.quic;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * How the servers of a service make their QUIC connection IDs: the plaintext form (without a key) of
 * draft-ietf-quic-load-balancers, in the octet layout of its revisions 17 to 21, sections 3.4 and 5.2.
 *
 * <pre>
 *     octet 0: config rotation (3 bits), length of the rest or anything (5 bits, not looked at)
 *     then:    server ID (1 to 15 octets), nonce (4 octets or more)
 * </pre>
 *
 * <p>Revisions up to 16 had two rotation bits. What servers append for their own use (section 5.4) counts as nonce
 * here. The plaintext form lets an observer see which connections have one server; draft, section 5.3.
 *
 * @param length octets of the whole connection ID, up to 20
 * @param rotation the rotation bits of these servers' connection IDs, 0 to 6
 * @param serverIdLength octets of the server ID, 1 to 15
 */
public record ConnectionIdLayout(int length, int rotation, int serverIdLength) {
    /** The longest connection ID of QUIC version 1 (RFC 9000, 17.2) and 2 (RFC 9369, 3). */
    public static final int MAX_LENGTH = 20;
    /** The fewest octets of nonce (draft, section 5.3). */
    public static final int MIN_NONCE_LENGTH = 4;
    /** The rotation bits of a server without configuration, whose packets no server ID routes (draft, section 3.2). */
    public static final int UNROUTABLE = 7;

    private static final int SERVER_ID_AT = 1;
    private static final int ROTATION_SHIFT = 5;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException for a number out of its range, or if no nonce of 4 octets fits
     */
    public ConnectionIdLayout {
        if (rotation < 0 || rotation >= UNROUTABLE) {
            throw new IllegalArgumentException("rotation bits are 0 to " + (UNROUTABLE - 1) + ", not " + rotation);
        }
        if (serverIdLength < 1 || serverIdLength > ServerId.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a server ID has 1 to " + ServerId.MAX_BYTES + " bytes, not " + serverIdLength);
        }
        int shortest = SERVER_ID_AT + serverIdLength + MIN_NONCE_LENGTH;
        if (length < shortest || length > MAX_LENGTH) {
            throw new IllegalArgumentException("a connection ID with a server ID of " + serverIdLength + " bytes has "
                    + shortest + " to " + MAX_LENGTH + " bytes, not " + length);
        }
    }

    /** Octets of the nonce, at least 4. */
    public int nonceLength() {
        return length - SERVER_ID_AT - serverIdLength;
    }

    /**
     * The server ID in the destination connection ID of the first QUIC packet of a datagram. Any bytes will do.
     *
     * @param udpPayload holds the UDP payload
     * @param from index of its first byte
     * @param to index behind its last byte
     * @return empty if there is none by this layout: the payload is too short, of a version that is neither 1 nor 2, or
     *     the connection ID has another length or other rotation bits. That one is there does not say that a server has
     *     it: the first packets of a client carry random octets of its own choice (RFC 9000, 7.2)
     * @throws IndexOutOfBoundsException unless {@code 0 <= from <= to <= udpPayload.length}
     */
    public Optional<ServerId> serverId(byte[] udpPayload, int from, int to) {
        return QuicHeader.read(udpPayload, from, to, length)
                .filter(header -> header.isKnownVersion() && header.connectionIdLength() == length)
                .filter(header -> rotationOf(udpPayload[header.connectionIdAt()]) == rotation)
                .map(header -> {
                    int at = header.connectionIdAt() + SERVER_ID_AT;
                    return ServerId.ofBytes(Arrays.copyOfRange(udpPayload, at, at + serverIdLength));
                });
    }

    /** The server ID in a whole UDP payload: {@link #serverId(byte[], int, int)} of all of the array. */
    public Optional<ServerId> serverId(byte[] udpPayload) {
        return serverId(udpPayload, 0, udpPayload.length);
    }

    /**
     * Makes a connection ID, as a server does. Its first octet tells its length (draft, section 3.3).
     *
     * @param nonce of {@link #nonceLength()} octets; one that looks random and is used once
     * @throws IllegalArgumentException if server ID or nonce are not of this layout's lengths
     */
    public byte[] connectionId(ServerId serverId, byte[] nonce) {
        if (serverId.length() != serverIdLength || nonce.length != nonceLength()) {
            throw new IllegalArgumentException("this layout has " + serverIdLength + " bytes of server ID and "
                    + nonceLength() + " of nonce, not " + serverId.length() + " and " + nonce.length);
        }
        return ByteBuffer.allocate(length)
                .put((byte) ((rotation << ROTATION_SHIFT) | (length - 1)))
                .put(serverId.bytes())
                .put(nonce)
                .array();
    }

    private static int rotationOf(byte firstOctet) {
        return Byte.toUnsignedInt(firstOctet) >>> ROTATION_SHIFT;
    }
}
