// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixTest {
    @Test
    void prefixesAreRead() {
        assertEquals(new Prefix(ip("10.0.0.16"), 28), Prefix.parse("10.0.0.16/28"));
        assertEquals(new Prefix(ip("10.0.0.1"), 32), Prefix.parse("10.0.0.1"));
        assertEquals(new Prefix(ip("fd00::"), 64), Prefix.parse("fd00::/64"));
        assertEquals(new Prefix(ip("0.0.0.0"), 0), Prefix.parse("0.0.0.0/0"));
        assertEquals("fd00::/64", Prefix.parse("fd00:0::/64").toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0",
                "10.0.0.256",
                "10.0.0.1/24",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0.0/-1",
                "10.0.0.0/a",
                "fd00::/129",
                "fd00::1/64",
                "::ffff:10.0.0.1",
                "fe80::1%eth0",
                "fd00::1::"
            })
    void othersAreRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> Prefix.parse(text));
    }
}
