// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.quic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ConnectionIdLayoutTest {
    /** 8 octets: first, 3 of server ID, 4 of nonce. */
    private static final ConnectionIdLayout LAYOUT = new ConnectionIdLayout(8, 0, 3);
    /** The vector without a key, rotation 0, from draft-ietf-quic-load-balancers-21, "Unencrypted CIDs". */
    private static final String DRAFT_VECTOR = "07" + "c4605e" + "4504cc4f";

    private static final ServerId DRAFT_SERVER_ID = ServerId.ofHex("c4605e");

    /** A Handshake of version 1: type 2 (RFC 9000, 17.2.4), empty source ID, length 20. */
    private static final String HANDSHAKE_V1 = "e0" + "00000001" + "08" + DRAFT_VECTOR + "00" + "14";
    /** The same of version 2, whose Handshake is type 3 (RFC 9369, 3.2). */
    private static final String HANDSHAKE_V2 = "f0" + "6b3343cf" + "08" + DRAFT_VECTOR + "00" + "14";
    /** A short header: first octet with fixed bit, destination ID, protected rest. */
    private static final String SHORT = "40" + DRAFT_VECTOR + "5a5a5a";

    @Test
    void makesTheConnectionIdOfTheDraft() {
        byte[] nonce = HexFormat.of().parseHex("4504cc4f");
        assertEquals(DRAFT_VECTOR, HexFormat.of().formatHex(LAYOUT.connectionId(DRAFT_SERVER_ID, nonce)));
    }

    @Test
    void makesConnectionIdsOfOtherLayouts() {
        ConnectionIdLayout longest = new ConnectionIdLayout(20, 6, 15);
        assertEquals(
                "d3" + "0102030405060708090a0b0c0d0e0f" + "fffefdfc",
                HexFormat.of()
                        .formatHex(longest.connectionId(
                                ServerId.ofHex("0102030405060708090a0b0c0d0e0f"),
                                HexFormat.of().parseHex("fffefdfc"))));
        ConnectionIdLayout shortest = new ConnectionIdLayout(6, 3, 1);
        assertEquals(
                "65" + "2a" + "00000000",
                HexFormat.of().formatHex(shortest.connectionId(ServerId.ofHex("2a"), new byte[4])));
    }

    @Test
    void readsEachForm() {
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, HANDSHAKE_V1));
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, HANDSHAKE_V2));
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, SHORT));
    }

    /** The IDs of the RFCs' clients (A.2 of RFC 9001 and of RFC 9369) begin with 0x83: rotation 4. */
    @Test
    void readsTheClientInitialsOfTheRfcs() {
        String v1 = "c0" + "00000001" + "08" + "8394c8f03e515708" + "0000449e7b9aec34";
        String v2 = "d7" + "6b3343cf" + "08" + "8394c8f03e515708" + "0000449ea0c95e82";
        ConnectionIdLayout rotation4 = new ConnectionIdLayout(8, 4, 3);
        assertEquals(Optional.of(ServerId.ofHex("94c8f0")), read(rotation4, v1));
        assertEquals(Optional.of(ServerId.ofHex("94c8f0")), read(rotation4, v2));
        assertEquals(Optional.empty(), read(LAYOUT, v1));
        assertEquals(Optional.empty(), read(LAYOUT, v2));
    }

    @Test
    void theFixedBitTheTypeAndTheSelfDescribedLengthDoNotMatter() {
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, "80" + HANDSHAKE_V1.substring(2)));
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, "bf" + HANDSHAKE_V2.substring(2)));
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, "00" + SHORT.substring(2)));
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, "3f" + SHORT.substring(2)));
        assertEquals(Optional.of(DRAFT_SERVER_ID), read(LAYOUT, "40" + "1f" + SHORT.substring(4)));
    }

    @Test
    void anotherRotationIsNotOurs() {
        for (int rotation = 1; rotation <= 7; rotation++) {
            String first = String.format("%02x", (rotation << 5) | 7);
            assertEquals(Optional.empty(), read(LAYOUT, "40" + first + SHORT.substring(4)), "rotation " + rotation);
        }
    }

    @Test
    void anotherVersionIsNotOurs() {
        for (String version : new String[] {"00000000", "00000002", "01000000", "ff00001d", "709a50c4", "1a2a3a4a"}) {
            String datagram = "e0" + version + HANDSHAKE_V1.substring(10);
            assertEquals(Optional.empty(), read(LAYOUT, datagram), "version " + version);
        }
    }

    @Test
    void anotherLengthIsNotOurs() {
        for (int length = 0; length <= 255; length++) {
            String datagram = "e0" + "00000001" + String.format("%02x", length) + DRAFT_VECTOR + "00".repeat(300);
            assertEquals(length == 8, read(LAYOUT, datagram).isPresent(), "length " + length);
        }
    }

    @Test
    void truncatedAnywhereItIsEmpty() {
        assertNeeds(1 + 4 + 1 + 8, HANDSHAKE_V1);
        assertNeeds(1 + 4 + 1 + 8, HANDSHAKE_V2);
        assertNeeds(1 + 8, SHORT);
    }

    private static void assertNeeds(int bytes, String hex) {
        byte[] whole = HexFormat.of().parseHex(hex);
        for (int length = 0; length <= whole.length; length++) {
            Optional<ServerId> expected = length >= bytes ? Optional.of(DRAFT_SERVER_ID) : Optional.empty();
            assertEquals(expected, LAYOUT.serverId(Arrays.copyOf(whole, length)), "of " + length + " bytes");
            assertEquals(expected, LAYOUT.serverId(whole, 0, length), length + " of " + whole.length + " bytes");
        }
    }

    @Test
    void refusesLayoutsThatNoConnectionIdHas() {
        for (int[] bad :
                new int[][] {{8, -1, 3}, {8, 7, 3}, {8, 0, 0}, {20, 0, 16}, {7, 0, 3}, {21, 0, 3}, {0, 0, 1}}) {
            assertThrows(
                    IllegalArgumentException.class,
                    () -> new ConnectionIdLayout(bad[0], bad[1], bad[2]),
                    Arrays.toString(bad));
        }
    }

    @Test
    void refusesToMakeConnectionIdsOfOtherLengths() {
        assertThrows(IllegalArgumentException.class, () -> LAYOUT.connectionId(ServerId.ofHex("c460"), new byte[4]));
        assertThrows(IllegalArgumentException.class, () -> LAYOUT.connectionId(DRAFT_SERVER_ID, new byte[5]));
        assertThrows(IllegalArgumentException.class, () -> LAYOUT.connectionId(DRAFT_SERVER_ID, new byte[3]));
    }

    @Property
    void whatAServerMakesIsReadBack(
            @ForAll("layouts") ConnectionIdLayout layout,
            @ForAll @Size(15) byte[] serverId,
            @ForAll @Size(18) byte[] nonce,
            @ForAll byte first,
            @ForAll @Size(max = 40) byte[] rest,
            @ForAll @IntRange(max = 60) int before) {
        ServerId id = ServerId.ofBytes(Arrays.copyOf(serverId, layout.serverIdLength()));
        byte[] connectionId = layout.connectionId(id, Arrays.copyOf(nonce, layout.nonceLength()));
        assertEquals(layout.length(), connectionId.length);
        assertEquals(layout.length() - 1, connectionId[0] & 0x1f);
        ByteArrayOutputStream datagram = new ByteArrayOutputStream();
        datagram.writeBytes(new byte[before]);
        datagram.write(first);
        if (first < 0) {
            datagram.writeBytes(HexFormat.of().parseHex((first & 1) == 0 ? "00000001" : "6b3343cf"));
            datagram.write(connectionId.length);
        }
        datagram.writeBytes(connectionId);
        int needed = datagram.size();
        datagram.writeBytes(rest);
        assertEquals(Optional.of(id), layout.serverId(datagram.toByteArray(), before, datagram.size()));
        assertEquals(Optional.of(id), layout.serverId(datagram.toByteArray(), before, needed));
        assertEquals(Optional.empty(), layout.serverId(datagram.toByteArray(), before, needed - 1));
    }

    @Property
    void readsAnything(@ForAll("layouts") ConnectionIdLayout layout, @ForAll @Size(max = 64) byte[] bytes) {
        for (int from = 0; from <= bytes.length; from++) {
            for (int to = from; to <= bytes.length; to++) {
                Optional<ServerId> id = layout.serverId(bytes, from, to);
                assertEquals(layout.serverId(Arrays.copyOfRange(bytes, from, to)), id);
                id.ifPresent(found -> assertEquals(layout.serverIdLength(), found.length()));
            }
        }
    }

    @Provide
    Arbitrary<ConnectionIdLayout> layouts() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(1, 15))
                .flatAs((rotation, serverIdLength) -> Arbitraries.integers()
                        .between(serverIdLength + 5, ConnectionIdLayout.MAX_LENGTH)
                        .map(length -> new ConnectionIdLayout(length, rotation, serverIdLength)));
    }

    @Test
    void theFirstOctetTakesRotationAndLength() {
        byte[] made = new ConnectionIdLayout(12, 5, 2).connectionId(ServerId.ofHex("abcd"), new byte[9]);
        assertArrayEquals(HexFormat.of().parseHex("ab" + "abcd" + "000000000000000000"), made);
    }

    private static Optional<ServerId> read(ConnectionIdLayout layout, String hex) {
        return layout.serverId(HexFormat.of().parseHex(hex));
    }
}
