// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.RememberedFlow.State;
import io.l4lb.hashing.FlowKey;
import io.l4lb.ipvs.Timeouts;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of {@code /proc/net/ip_vs_conn}. */
class ConnectionTest {
    private static final IdleTimes TIMES =
            new IdleTimes(new Timeouts(Duration.ofMinutes(15), Duration.ofMinutes(2), Duration.ofMinutes(5)));

    @Test
    void aLineOfIpv4() {
        Connection found = Connection.parse("TCP 0A010002 9C41 C000020A 0050 0A020002 0050 SYN_RECV         49");
        assertEquals(new FlowKey(ip("10.1.0.2"), 40001, ip("192.0.2.10"), 80, 6), found.flow());
        assertEquals(ip("10.2.0.2"), found.real());
        assertEquals("SYN_RECV", found.state());
        assertEquals(Duration.ofSeconds(49), found.left());
    }

    @Test
    void aLineOfIpv6() {
        Connection found = Connection.parse("TCP fd01:0000:0000:0000:0000:0000:0000:0002 9C43"
                + " 2001:0db8:0000:0000:0000:0000:0000:0010 0050 fd02:0000:0000:0000:0000:0000:0000:0002 0050"
                + " ESTABLISHED     899");
        assertEquals(new FlowKey(ip("fd01::2"), 40003, ip("2001:db8::10"), 80, 6), found.flow());
        assertEquals(ip("fd02::2"), found.real());
    }

    /** From IPv4 clients to an IPv6 real, and what a persistence engine adds. */
    @Test
    void mixedFamiliesAndMoreFields() {
        Connection found = Connection.parse("UDP 0A010002 9C41 C000020A 0050"
                + " fd02:0000:0000:0000:0000:0000:0000:0002 0050 UDP             298 sip 1234");
        assertEquals(ip("fd02::2"), found.real());
        assertEquals(Optional.of(Duration.ofSeconds(2)), TIMES.of(found));
    }

    /** It is a negative number of ticks, divided as an unsigned one. */
    @Test
    void oneThatHasJustExpired() {
        assertEquals(
                Duration.ZERO,
                Connection.parse(line("TCP", "CLOSE", "73786976294838206")).left());
        assertEquals(
                Duration.ZERO,
                Connection.parse(line("TCP", "CLOSE", "18446744073709551615")).left());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "TCP 0A010002 9C41 C000020A 0050 0A020002 0050 SYN_RECV",
                "TCP 0A0100 9C41 C000020A 0050 0A020002 0050 SYN_RECV 49",
                "TCP 0A01000X 9C41 C000020A 0050 0A020002 0050 SYN_RECV 49",
                "TCP 0A010002 XXXX C000020A 0050 0A020002 0050 SYN_RECV 49",
                "TCP 0A010002 9C41 C000020A 0050 0A020002 0050 SYN_RECV soon",
                "SMTP 0A010002 9C41 C000020A 0050 0A020002 0050 SYN_RECV 49",
                "TCP 0A010002 9C41 fd020000000000000000000000000002 0050 0A020002 0050 SYN_RECV 49",
                "IP_x 0A010002 9C41 C000020A 0050 0A020002 0050 NONE 49"
            })
    void whatIsNoLineIsRefused(String line) {
        assertThrows(IllegalArgumentException.class, () -> Connection.parse(line));
    }

    private static String line(String protocol, String state, String left) {
        return protocol + " 0A010002 9C41 C000020A 0050 0A020002 0050 " + state + " " + left;
    }

    private static State phase(String protocol, String state) {
        return Connection.parse(line(protocol, state, "1")).phase();
    }

    @Test
    void statesInOurWords() {
        assertEquals(State.OPENING, phase("TCP", "SYN_RECV"));
        assertEquals(State.OPENING, phase("TCP", "NONE"));
        assertEquals(State.ESTABLISHED, phase("TCP", "ESTABLISHED"));
        for (String closing : new String[] {"FIN_WAIT", "TIME_WAIT", "CLOSE", "CLOSE_WAIT", "LAST_ACK"}) {
            assertEquals(State.CLOSING, phase("TCP", closing));
        }
        assertEquals(State.OTHER, phase("UDP", "UDP"));
        assertEquals(State.OTHER, phase("SCTP", "ESTABLISHED"));
    }

    @Test
    void aSynEndsThoseThatAreOver() {
        assertTrue(Connection.parse(line("TCP", "TIME_WAIT", "1")).isOver());
        assertTrue(Connection.parse(line("TCP", "CLOSE", "1")).isOver());
        assertFalse(Connection.parse(line("TCP", "FIN_WAIT", "1")).isOver());
        assertFalse(Connection.parse(line("TCP", "ESTABLISHED", "1")).isOver());
    }

    @Test
    void idleByTheTimeoutOfTheState() {
        assertEquals(
                Optional.of(Duration.ofSeconds(10)), TIMES.of(Connection.parse(line("TCP", "ESTABLISHED", "890"))));
        assertEquals(Optional.of(Duration.ofSeconds(20)), TIMES.of(Connection.parse(line("TCP", "FIN_WAIT", "100"))));
        assertEquals(Optional.of(Duration.ofSeconds(11)), TIMES.of(Connection.parse(line("TCP", "SYN_RECV", "49"))));
        assertEquals(Optional.of(Duration.ofSeconds(2)), TIMES.of(Connection.parse(line("UDP", "UDP", "298"))));
    }

    /** One from before the timeouts were made shorter; a protocol whose timeouts nobody tells. */
    @Test
    void idleIsNotGuessed() {
        assertEquals(Optional.empty(), TIMES.of(Connection.parse(line("TCP", "ESTABLISHED", "901"))));
        assertEquals(Optional.empty(), TIMES.of(Connection.parse(line("SCTP", "ESTABLISHED", "100"))));
        assertEquals(Optional.empty(), TIMES.of(Connection.parse(line("TCP", "NONE", "100"))));
    }
}
