// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses and prefixes as text. */
class PrefixTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "2001:DB8:0:0:0:0:0:1, 2001:db8::1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "1:0:0:2:0:0:3:4, 1::2:0:0:3:4",
        "64:ff9b::192.0.2.1, 64:ff9b::c000:201",
    })
    void literals(String text, String canonical) {
        assertEquals(canonical, IpLiteral.text(IpLiteral.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1.2.3",
                "1.2.3.256",
                "1.2.3.04",
                "1.2.3.4.5",
                "localhost",
                ":",
                ":::",
                "1::2::3",
                "12345::",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7::8",
                "g::",
                "::1.2.3",
                "fe80::1%eth0",
                "+1.2.3.4"
            })
    void notLiterals(String text) {
        assertThrows(IllegalArgumentException.class, () -> IpLiteral.parse(text));
    }

    @Property
    void roundTrip(@ForAll @Size(16) byte[] bytes, @ForAll int zeros) throws UnknownHostException {
        Random random = new Random(zeros);
        for (int i = 0; i < 16; i += 2) {
            if (random.nextBoolean()) {
                bytes[i] = 0;
                bytes[i + 1] = 0;
            }
        }
        bytes[0] |= 0x20; // not an IPv4-mapped address, which Java turns into IPv4
        InetAddress address = InetAddress.getByAddress(bytes);
        assertEquals(address, IpLiteral.parse(IpLiteral.text(address)));
        assertEquals(address, IpLiteral.parse(address.getHostAddress()));
    }

    @Test
    void prefixes() {
        assertEquals("192.0.2.0/24", Prefix.parse("192.0.2.0/24").toString());
        assertEquals(
                "2001:db8::1/128", Prefix.host(IpLiteral.parse("2001:db8::1")).toString());
        assertTrue(Prefix.parse("::/0").isIpv6());
        for (String wrong :
                new String[] {"192.0.2.1/24", "192.0.2.0/33", "::1/127", "::/129", "::", "1.2.3.4/", "::/-1"}) {
            assertThrows(IllegalArgumentException.class, () -> Prefix.parse(wrong), wrong);
        }
    }

    @Test
    void metrics() {
        Route route = Route.of(Prefix.parse("192.0.2.0/24"));
        assertThrows(IllegalArgumentException.class, () -> route.withMed(-1));
        assertThrows(IllegalArgumentException.class, () -> route.withMed(0x1_0000_0000L));
        assertEquals(0xffffffffL, route.withMed(0xffffffffL).med());
    }
}
