// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.quic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ServerIdTest {
    @Test
    void readsHexadecimalDigitsOfEitherCase() {
        ServerId id = ServerId.ofHex("0aFf00");
        assertArrayEquals(new byte[] {0x0a, (byte) 0xff, 0}, id.bytes());
        assertEquals(3, id.length());
        assertEquals("0aff00", id.toString());
    }

    @Test
    void isOpaqueBytesAndNoNumber() {
        assertNotEquals(ServerId.ofHex("01"), ServerId.ofHex("0001"));
        assertNotEquals(ServerId.ofHex("01"), ServerId.ofHex("02"));
    }

    @Test
    void refusesWhatIsNoServerId() {
        for (String digits : List.of("", "0", "0x01", "01 02", "0g", "-1", "00".repeat(16), "\u0661\u0661")) {
            assertThrows(IllegalArgumentException.class, () -> ServerId.ofHex(digits), digits);
        }
        assertThrows(IllegalArgumentException.class, () -> ServerId.ofBytes(new byte[0]));
        assertThrows(IllegalArgumentException.class, () -> ServerId.ofBytes(new byte[16]));
    }

    @Test
    void doesNotChangeWithTheArraysItWasMadeOfOrGave() {
        byte[] bytes = {1, 2};
        ServerId id = ServerId.ofBytes(bytes);
        bytes[0] = 9;
        id.bytes()[1] = 9;
        assertEquals("0102", id.toString());
    }

    @Property
    void everyServerIdSurvivesTheRoundTrip(@ForAll @Size(min = 1, max = 15) byte[] bytes) {
        ServerId id = ServerId.ofBytes(bytes);
        assertArrayEquals(bytes, id.bytes());
        assertEquals(id, ServerId.ofHex(id.toString()));
        assertEquals(id.hashCode(), ServerId.ofHex(id.toString()).hashCode());
    }
}
