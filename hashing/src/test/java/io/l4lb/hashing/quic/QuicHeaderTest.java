// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.quic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.hashing.quic.QuicHeader.Form;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class QuicHeaderTest {
    /** RFC 9001, A.2: the first bytes of the protected client Initial. */
    private static final String CLIENT_INITIAL_V1 =
            "c0" + "00000001" + "08" + "8394c8f03e515708" + "00" + "00" + "449e" + "7b9aec34";
    /** RFC 9001, A.3: the first bytes of the protected server Initial; its destination ID is empty. */
    private static final String SERVER_INITIAL_V1 =
            "cf" + "00000001" + "00" + "08" + "f067a5502a4262b5" + "00" + "4075" + "c0d9";
    /** RFC 9001, A.4: the first bytes of the Retry. */
    private static final String RETRY_V1 = "ff" + "00000001" + "00" + "08" + "f067a5502a4262b5" + "746f6b656e";
    /** RFC 9001, A.5: a whole packet with a short header and an empty destination ID. */
    private static final String SHORT_V1 = "4c" + "fe4189655e5cd55c41f69080575d7999c25a5bfb";
    /** RFC 9369, A.2: the first bytes of the protected client Initial. */
    private static final String CLIENT_INITIAL_V2 =
            "d7" + "6b3343cf" + "08" + "8394c8f03e515708" + "00" + "00" + "449e" + "a0c95e82";
    /** Version negotiation by RFC 8999, 6: version 0, destination ID of 21 octets, no source ID, versions 1 and 2. */
    private static final String VERSION_NEGOTIATION =
            "80" + "00000000" + "15" + "000102030405060708090a0b0c0d0e0f1011121314" + "00" + "00000001" + "6b3343cf";

    @Test
    void readsTheClientInitialsOfBothVersions() {
        assertEquals(Optional.of(new QuicHeader(Form.LONG, 0x00000001, 6, 8)), read(CLIENT_INITIAL_V1, 20));
        assertEquals(Optional.of(new QuicHeader(Form.LONG, 0x6b3343cf, 6, 8)), read(CLIENT_INITIAL_V2, 20));
    }

    @Test
    void readsEmptyConnectionIds() {
        assertEquals(Optional.of(new QuicHeader(Form.LONG, 1, 6, 0)), read(SERVER_INITIAL_V1, 8));
        assertEquals(Optional.of(new QuicHeader(Form.LONG, 1, 6, 0)), read(RETRY_V1, 8));
        assertEquals(Optional.of(new QuicHeader(Form.SHORT, 0, 1, 0)), read(SHORT_V1, 0));
    }

    @Test
    void readsAShortHeader() {
        String datagram = "40" + "07c4605e4504cc4f" + "00";
        assertEquals(Optional.of(new QuicHeader(Form.SHORT, 0, 1, 8)), read(datagram, 8));
    }

    @Test
    void readsIdsThatAreLongerThanVersion1Allows() {
        QuicHeader header = read(VERSION_NEGOTIATION, 8).orElseThrow();
        assertEquals(new QuicHeader(Form.LONG, 0, 6, 21), header);
        assertFalse(header.isKnownVersion());
        String longest = "80" + "0a0a0a0a" + "ff" + "11".repeat(255);
        assertEquals(Optional.of(new QuicHeader(Form.LONG, 0x0a0a0a0a, 6, 255)), read(longest, 8));
    }

    @Test
    void knowsVersions1And2AndShortHeaders() {
        assertTrue(read(CLIENT_INITIAL_V1, 8).orElseThrow().isKnownVersion());
        assertTrue(read(CLIENT_INITIAL_V2, 8).orElseThrow().isKnownVersion());
        assertTrue(read(SHORT_V1, 8).orElseThrow().isKnownVersion());
        assertFalse(new QuicHeader(Form.LONG, 0xff00001d, 6, 8).isKnownVersion(), "draft 29");
        assertFalse(new QuicHeader(Form.LONG, 0x01000000, 6, 8).isKnownVersion(), "1 in the wrong byte order");
    }

    @Test
    void needsTheWholeDestinationConnectionIdAndNoMore() {
        assertNeeds(1 + 4 + 1 + 8, CLIENT_INITIAL_V1, 8);
        assertNeeds(1 + 4 + 1 + 8, CLIENT_INITIAL_V2, 8);
        assertNeeds(1 + 4 + 1, SERVER_INITIAL_V1, 8);
        assertNeeds(1 + 4 + 1 + 21, VERSION_NEGOTIATION, 8);
        assertNeeds(1 + 8, SHORT_V1, 8);
        assertNeeds(1, SHORT_V1, 0);
    }

    private static void assertNeeds(int bytes, String hex, int shortLength) {
        byte[] whole = HexFormat.of().parseHex(hex);
        for (int length = 0; length <= whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertEquals(
                    length >= bytes,
                    QuicHeader.read(cut, 0, length, shortLength).isPresent(),
                    "of " + length + " bytes");
        }
    }

    @Test
    void refusesARangeOutsideOfTheArray() {
        byte[] payload = new byte[30];
        assertThrows(IndexOutOfBoundsException.class, () -> QuicHeader.read(payload, -1, 20, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> QuicHeader.read(payload, 0, 31, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> QuicHeader.read(payload, 21, 20, 8));
    }

    @Property
    void readsAnythingWithinItsRange(
            @ForAll @Size(max = 300) byte[] bytes,
            @ForAll @IntRange(max = 300) int from,
            @ForAll @IntRange(max = 300) int length,
            @ForAll @IntRange(max = 20) int shortLength) {
        int start = Math.min(from, bytes.length);
        int end = Math.min(start + length, bytes.length);
        QuicHeader.read(bytes, start, end, shortLength).ifPresent(header -> {
            assertTrue(header.connectionIdAt() > start);
            assertTrue(header.connectionIdLength() >= 0 && header.connectionIdLength() <= 255);
            assertTrue(header.connectionIdAt() + header.connectionIdLength() <= end);
        });
    }

    private static Optional<QuicHeader> read(String hex, int shortLength) {
        byte[] payload = HexFormat.of().parseHex(hex);
        return QuicHeader.read(payload, 0, payload.length, shortLength);
    }
}
