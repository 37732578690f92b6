// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.RememberedFlow.State;
import io.l4lb.hashing.FlowKey;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * A file that Linux 6.1 has made, copied from {@code /proc/net/ip_vs_conn} in the virtual machine: services of direct routing
 * and IP-in-IP, a client that connected, one that ended its side, one that reset, two that nobody answered, a datagram, a
 * service with persistence, one of IPv6, one of IPv4 with an IPv6 real, and a connection of the director by a mark.
 */
class ConnectionFileTest {
    private static ConnectionFile sample() throws URISyntaxException {
        return ConnectionFile.open(
                Path.of(Objects.requireNonNull(ConnectionFileTest.class.getResource("ip_vs_conn.txt"))
                        .toURI()));
    }

    @Test
    void allLinesAreUnderstood() throws Exception {
        Map<FlowKey, Connection> found = new HashMap<>();
        try (ConnectionFile file = sample()) {
            assertTrue(file.read(connection -> found.put(connection.flow(), connection) == null));
        }
        assertEquals(10, found.size());
        assertEquals(State.ESTABLISHED, state(found, "10.1.0.2", 40000, 80));
        assertEquals(State.CLOSING, state(found, "10.1.0.2", 40001, 80));
        assertEquals(State.CLOSING, state(found, "10.1.0.2", 40002, 80));
        assertEquals(State.OPENING, state(found, "10.1.0.2", 40005, 81));
        assertEquals(State.OPENING, state(found, "10.1.0.2", 40006, 82));
        Connection six = found.get(new FlowKey(ip("fd01::2"), 40003, ip("2001:db8::10"), 80, 6));
        assertEquals(ip("fd02::2"), Objects.requireNonNull(six).real());
        Connection datagram = found.get(new FlowKey(ip("10.1.0.2"), 40007, ip("192.0.2.10"), 53, 17));
        assertEquals(State.OTHER, Objects.requireNonNull(datagram).phase());
    }

    private static State state(Map<FlowKey, Connection> found, String client, int port, int vipPort) {
        FlowKey flow = new FlowKey(ip(client), port, ip("192.0.2.10"), vipPort, 6);
        return Objects.requireNonNull(found.get(flow)).phase();
    }

    @Test
    void readAgainFromTheBeginning() throws Exception {
        List<Connection> first = new ArrayList<>();
        List<Connection> again = new ArrayList<>();
        try (ConnectionFile file = sample()) {
            assertFalse(file.read(connection -> {
                first.add(connection);
                return first.size() < 3;
            }));
            assertTrue(file.read(again::add));
        }
        assertEquals(3, first.size());
        assertEquals(first, again.subList(0, 3));
        assertEquals(10, again.size());
    }
}
