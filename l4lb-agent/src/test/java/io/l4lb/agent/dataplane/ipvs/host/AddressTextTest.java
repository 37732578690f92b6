// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.agent.model.IpText;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.10", "0.0.0.0", "255.249.199.100", "2001:db8::10", "::1", "2001:db8:1:2:3:4:5:6"})
    void addresses(String text) {
        assertEquals(text, IpText.of(AddressText.parse(text)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "beef",
                "1.2.3",
                "1.2.3.256",
                "1.2.3.4.",
                "1.2.3.4.5",
                "1",
                "1::2::3",
                "::1%lo",
                "["
            })
    void others(String text) {
        assertThrows(IllegalArgumentException.class, () -> AddressText.parse(text));
    }
}
