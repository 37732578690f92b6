// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @Test
    void literalsOfBothFamilies() {
        InetSocketAddress four = Endpoint.parse("192.0.2.255:65535");
        assertEquals("/192.0.2.255:65535", four.toString());
        InetSocketAddress six = Endpoint.parse("[2001:DB8::10]:0");
        assertEquals("2001:db8:0:0:0:0:0:10", six.getAddress().getHostAddress());
        assertEquals(0, six.getPort());
        assertEquals(
                Inet6Address.class,
                Endpoint.parse("[64:ff9b::192.0.2.1]:1").getAddress().getClass());
    }

    @Test
    void thePortMayBeLeftOutWhereItIsNotNeeded() {
        for (String text : List.of("192.0.2.1", "192.0.2.1:0", "192.0.2.1:7")) {
            assertEquals(
                    "/192.0.2.1",
                    Endpoint.parseWithOrWithoutPort(text).getAddress().toString());
        }
        for (String text : List.of("2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:0")) {
            assertEquals(
                    "2001:db8:0:0:0:0:0:1",
                    Endpoint.parseWithOrWithoutPort(text).getAddress().getHostAddress());
        }
        assertEquals(0, Endpoint.parseWithOrWithoutPort("192.0.2.1").getPort());
        for (String text : List.of("", "localhost", "192.0.2", "[192.0.2.1", "2001:db8::1%eth0", "[]")) {
            assertThrows(IllegalArgumentException.class, () -> Endpoint.parseWithOrWithoutPort(text));
        }
    }

    @Test
    void aMissingPortIsSaid() {
        assertEquals(
                "\"192.0.2.1\" has no port, as 192.0.2.1:80 or [2001:db8::1]:80",
                assertThrows(IllegalArgumentException.class, () -> Endpoint.parse("192.0.2.1"))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "192.0.2.1",
                "192.0.2.1:",
                "192.0.2.1:65536",
                "192.0.2.256:1",
                "192.0.2:1",
                "localhost:80",
                "2001:db8::1:80",
                "[2001:db8::1]",
                "[2001:db8::1%eth0]:80",
                "[2001:db8:::1]:80",
                "[192.0.2.1]:80",
                "[:]:80",
                "[12345::]:80",
                "[1:2:3:4:5:6:7:8:9]:80",
                " 192.0.2.1:80",
                "192.0.2.1:-1"
            })
    void whatIsNone(String text) {
        assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(text));
    }
}
