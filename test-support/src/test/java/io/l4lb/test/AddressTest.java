// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

final class AddressTest {
    @Test
    void literalsAreAddresses() {
        assertEquals("192.0.2.1", Address.ip("192.0.2.1").getHostAddress());
        assertEquals("2001:db8:0:0:0:0:0:1", Address.ip("2001:db8::1").getHostAddress());
        assertThrows(IllegalArgumentException.class, () -> Address.ip("300.0.0.1"));
    }
}
