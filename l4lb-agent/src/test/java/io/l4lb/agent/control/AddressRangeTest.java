// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.1.0.2, 10.1.0.2, true",
        "10.1.0.2, 10.1.0.3, false",
        "10.1.0.2/32, 10.1.0.3, false",
        "10.1.0.2/31, 10.1.0.3, true",
        "10.1.0.2/31, 10.1.0.4, false",
        "10.1.0.0/16, 10.1.255.1, true",
        "10.1.0.0/16, 10.2.0.1, false",
        "10.0.0.0/15, 10.0.0.1, true",
        "0.0.0.0/0, 255.1.2.3, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 10.0.0.1, false",
        "2001:db8::/33, 2001:db8:7fff::1, true",
        "2001:db8::/33, 2001:db8:8000::1, false",
        "2001:db8::5, 2001:db8::5, true",
    })
    void contains(String range, String address, boolean expected) {
        assertEquals(expected, AddressRange.parse(range).contains(ip(address)));
    }

    @ParameterizedTest
    @CsvSource({
        "10.60.0.2/24, 10.60.0.0/24",
        "10.1.0.3/31, 10.1.0.2/31",
        "128.0.0.0/0, 0.0.0.0/0",
        "2001:db8::1/64, 2001:db8::/64",
    })
    void anAddressInAPrefix(String text, String prefix) {
        assertEquals(
                "\"" + text + "\" is an address in a prefix; the prefix is \"" + prefix + "\"",
                assertThrows(IllegalArgumentException.class, () -> AddressRange.parse(text))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/8",
                "10.1.0",
                "10.1.0.2/",
                "10.1.0.2/33",
                "10.1.0.2/-1",
                "10.1.0.2/a",
                "::/129",
                "localhost",
                "10.1.0.2/8/8",
                "256.0.0.1",
                "fe80::1%eth0",
                "10.0.0.1:80"
            })
    void whatIsNone(String text) {
        assertThrows(IllegalArgumentException.class, () -> AddressRange.parse(text));
    }
}
