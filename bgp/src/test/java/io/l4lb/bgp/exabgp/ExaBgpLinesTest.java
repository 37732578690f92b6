// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines captured from ExaBGP 4.2.21 behind bridge.py with BIRD at the other end. */
class ExaBgpLinesTest {
    private static final String HEAD =
            "{ \"exabgp\": \"4.0.1\", \"time\": 1796000776.3353915, \"host\" : \"vm\", \"pid\" : 9487,"
                    + " \"ppid\" : 9464, \"counter\": 4, \"type\": ";
    private static final String PEER4 =
            "\"neighbor\": { \"address\": { \"local\": \"10.91.1.2\", \"peer\": \"10.91.1.1\" },"
                    + " \"asn\": { \"local\": 65010, \"peer\": 65000 } , ";
    private static final String PEER6 =
            "\"neighbor\": { \"address\": { \"local\": \"fd91::2\", \"peer\": \"fd91::1\" },"
                    + " \"asn\": { \"local\": 65010, \"peer\": 65000 } , ";

    /** Writes down what was read. */
    private static final class Recorder implements LineHandler {
        final List<String> calls = new ArrayList<>();

        @Override
        public void hello(Hello hello) {
            calls.add(hello.toString());
        }

        @Override
        public void acknowledged(boolean done) {
            calls.add("acknowledged " + done);
        }

        @Override
        public void up(InetAddress neighbor) {
            calls.add("up " + IpLiteral.text(neighbor));
        }

        @Override
        public void down(InetAddress neighbor, String reason) {
            calls.add("down " + IpLiteral.text(neighbor) + " " + reason);
        }

        @Override
        public void sent(InetAddress neighbor, Route route) {
            calls.add("sent " + IpLiteral.text(neighbor) + " " + route.prefix() + " " + route.med());
        }

        @Override
        public void sentWithdraw(InetAddress neighbor, Prefix prefix) {
            calls.add("withdrew " + IpLiteral.text(neighbor) + " " + prefix);
        }

        @Override
        public void sentEndOfRib(InetAddress neighbor) {
            calls.add("end of RIB " + IpLiteral.text(neighbor));
        }

        @Override
        public void listed(InetAddress neighbor, Route route, String attributes) {
            calls.add("listed " + IpLiteral.text(neighbor) + " " + route.prefix() + " " + route.med() + ": "
                    + attributes);
        }
    }

    private static List<String> read(String line) {
        Recorder record = new Recorder();
        new ExaBgpLines(record).read(line);
        return record.calls;
    }

    @Test
    void acknowledgementsAndHello() {
        assertEquals(List.of("acknowledged true"), read("done"));
        assertEquals(List.of("acknowledged false"), read("error"));
        assertEquals(
                List.of("Hello[protocol=1, exabgp=9487-102839, commands=10, quietMillis=1002]"),
                read(
                        "{\"type\": \"bridge\", \"protocol\": 1, \"epoch\": \"9487-102839\", \"commands\": 10, \"quiet\": 1002}"));
        assertEquals(
                List.of("Hello[protocol=1, exabgp=9487-102839, commands=0, quietMillis=" + Long.MAX_VALUE + "]"),
                read(
                        "{\"type\": \"bridge\", \"protocol\": 1, \"epoch\": \"9487-102839\", \"commands\": 0, \"quiet\": null}"));
    }

    @Test
    void states() {
        assertEquals(List.of("up 10.91.1.1"), read(HEAD + "\"state\", " + PEER4 + "\"state\": \"up\" } }"));
        assertEquals(List.of(), read(HEAD + "\"state\", " + PEER4 + "\"state\": \"connected\" } }"));
        assertEquals(
                List.of("down fd91::1 closing \"x\" .d"),
                read(HEAD + "\"state\", " + PEER6 + "\"state\": \"down\", \"reason\": \"closing \\\"x\\\" \\.d\" } }"));
    }

    @Test
    void updates() {
        String send = "\"direction\": \"send\", \"message\": { ";
        assertEquals(
                List.of("sent 10.91.1.1 198.51.100.12/32 20"),
                read(HEAD + "\"update\", " + PEER4 + send + "\"update\": { \"attribute\": { \"origin\": \"igp\","
                        + " \"as-path\": [ 65010 ], \"confederation-path\": [], \"med\": 20, \"community\":"
                        + " [ [ 65000, 10 ] ] }, \"announce\": { \"ipv4 unicast\": { \"10.91.1.2\":"
                        + " [ { \"nlri\": \"198.51.100.12/32\" } ] } } } } } }"));
        assertEquals(
                List.of("withdrew fd91::1 2001:db8:100::10/128"),
                read(HEAD + "\"update\", " + PEER6 + send + "\"update\": { \"attribute\": { \"origin\": \"igp\" },"
                        + " \"withdraw\": { \"ipv6 unicast\": [ { \"nlri\": \"2001:db8:100::10/128\" } ] } } } } }"));
        assertEquals(
                List.of("end of RIB 10.91.1.1"),
                read(HEAD + "\"update\", " + PEER4 + send
                        + "\"eor\": { \"afi\" : \"ipv4\", \"safi\" : \"unicast\" } } } }"));
    }

    @Test
    void listing() {
        String end = "local-as 65010 peer-as 65000 router-id 10.91.255.11 family-allowed in-open ";
        assertEquals(
                List.of("listed 10.91.1.1 198.51.100.12/32 20: next-hop self med 20 community 65000:10"),
                read("neighbor 10.91.1.1 local-ip 10.91.1.2 " + end
                        + "ipv4 unicast 198.51.100.12/32 next-hop self med 20 community 65000:10"));
        assertEquals(
                List.of("listed fd91::1 2001:db8:100::11/128 null: next-hop self"),
                read("neighbor fd91::1 local-ip fd91::2 " + end + "ipv6 unicast 2001:db8:100::11/128 next-hop self"));
    }

    @Test
    void whatIsNotKnownIsSkippedAndWhatIsBrokenIsSaid() {
        assertEquals(List.of(), read("shutdown"));
        assertEquals(List.of(), read(HEAD + "\"notification\", \"notification\": \"shutdown\" }"));
        assertThrows(BgpException.class, () -> read("{ \"type\": \"state\", "));
        assertThrows(BgpException.class, () -> read(HEAD + "\"state\", \"neighbor\": { \"state\": \"up\" } }"));
    }
}
