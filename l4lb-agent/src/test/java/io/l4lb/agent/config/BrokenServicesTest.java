// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong in a service: one edit of a good file in {@code services-dir}, and every problem that it leads to. */
class BrokenServicesTest {
    private static final String GOOD = """
            [[services]]
            name = "web"
            vips = ["192.0.2.1"]
            protocol = "tcp"
            port = 80
            [services.health-check]
            type = "http"
            [[services.reals]]
            address = "10.0.0.1"
            [[services.reals]]
            address = "10.0.0.2"
            weight = 1
            """;

    @TempDir
    private Path directory = Path.of("");

    @TestFactory
    Stream<DynamicTest> refusesValuesOfAService() {
        return tests(
                Edit.of(
                        "\"web\"",
                        "\"Web\"",
                        "2: services[0].name: \"Web\" is not a name: use 1 to 63 of a-z, 0-9 and -, not - first"),
                Edit.of(
                        "\"web\"",
                        "\"\"",
                        "2: services[0].name: \"\" is not a name: use 1 to 63 of a-z, 0-9 and -, not - first"),
                Edit.of("name = \"web\"\n", "", "1: services[0].name: is missing"),
                Edit.of(
                        "\"tcp\"",
                        "\"icmp\"",
                        "4: services[0].protocol: \"icmp\" is not known; use \"tcp\" or \"udp\" or \"dccp\" or \"sctp\""
                                + " or \"udplite\" or \"gre\" or \"esp\" or \"ah\" or \"any\""),
                Edit.of("= 80", "= -1", "5: services[0].port: -1 is out of range; use 1 to 65535, or \"any\""),
                Edit.of("= 80", "= 65536", "5: services[0].port: 65536 is out of range; use 1 to 65535, or \"any\""),
                Edit.of(
                        "= 80",
                        "= \"abc\"",
                        "5: services[0].port: expected a number or \"any\", found the string \"abc\""),
                Edit.of("port = 80\n", "", "1: services[0].port: is missing"),
                Edit.of("= 80", "= nan", "5: services[0].port: expected a whole number, found the number nan"),
                with(
                        "scheduler = \"rr\"",
                        "scheduler: \"rr\" is the kernel's own, for agent.dataplane = \"ipvs\" alone; use \"maglev\", \"ketama\" or"
                                + " \"rendezvous\""),
                with(
                        "hash-key = \"4-tuple\"",
                        "hash-key: \"4-tuple\" is not known; use \"5-tuple\" or \"3-tuple\" or \"quic-cid\""),
                with(
                        "forwarding = \"gre\"",
                        "forwarding: \"gre\" is for agent.dataplane = \"ipvs\" alone; use \"ipip\" or \"gue\""),
                with("table-size = 65536", "table-size: 65536 is not a prime; the nearest is 65537"),
                with("table-size = 90", "table-size: 90 is not a prime; the nearest is 89"),
                with("table-size = 2", "table-size: 2 is out of range; use 3 to 5000011"),
                with("table-size = 5000021", "table-size: 5000021 is out of range; use 3 to 5000011"),
                with("quorum = 0", "quorum: 0 is out of range; use 1 to 65535"),
                with("quorum = 3", "quorum: 3 can never be met: there are fewer reals, 2"),
                with("quorum = \"0%\"", "quorum: \"0%\" is not a quorum; use a number of reals, or \"1%\" to \"100%\""),
                with(
                        "quorum = \"101%\"",
                        "quorum: \"101%\" is not a quorum; use a number of reals, or \"1%\" to \"100%\""),
                with("quorum = 0.3", "quorum: expected a whole number, found the number 0.3"),
                with("load = { source = \"x\" }", "load: is not available yet"),
                with("prot = 1", "prot: unknown key, did you mean 'port'?"),
                with("port = 81", "port: is already set in line 5"),
                with("vips.a = 1", "vips: is already set in line 3"),
                Edit.of("[[services]]", "[services]", "1: services: expected an array of tables, found a table"));
    }

    /** A line put after the port, in line 6. */
    private static Edit with(String line, String problem) {
        return Edit.of("= 80\n", "= 80\n" + line + "\n", "6: services[0]." + problem);
    }

    @TestFactory
    Stream<DynamicTest> refusesAddresses() {
        return tests(
                Edit.of("\"192.0.2.1\"", "", "3: services[0].vips: names no address"),
                Edit.of(
                        "[\"192.0.2.1\"]",
                        "\"192.0.2.1\"",
                        "3: services[0].vips: expected an array of strings, found the string \"192.0.2.1\""),
                vip("\"web.example\"", "\"web.example\" is not an IP address (names are not resolved)"),
                vip("\"192.0.2.256\"", "\"192.0.2.256\" is not an IP address (names are not resolved)"),
                vip("\"192.0.2.1/32\"", "\"192.0.2.1/32\" is not an IP address (names are not resolved)"),
                vip("\"fe80::1%eth0\"", "\"fe80::1%eth0\" is not an IP address (names are not resolved)"),
                vip("\"fe80::1\"", "\"fe80::1\" is a link-local address"),
                vip(
                        "\"::ffff:192.0.2.1\"",
                        "\"::ffff:192.0.2.1\" is an IPv4 address in IPv6 form; write \"192.0.2.1\""),
                vip("\"224.0.0.1\"", "\"224.0.0.1\" is a multicast address"),
                vip("\"ff02::1\"", "\"ff02::1\" is a multicast address"),
                vip("\"0.0.0.0\"", "\"0.0.0.0\" is the unspecified address"),
                vip("\"255.255.255.255\"", "\"255.255.255.255\" is the broadcast address"),
                vip("\"::1\"", "\"::1\" is a loopback address"),
                vip("3232235777", "expected an IP address, found the number 3232235777"),
                Edit.of(
                        "\"10.0.0.2\"",
                        "\"127.0.0.2\"",
                        "11: services[0].reals[1].address: \"127.0.0.2\" is a loopback address"),
                Edit.of("address = \"10.0.0.2\"\n", "", "10: services[0].reals[1].address: is missing"),
                Edit.of(
                        "\"10.0.0.2\"",
                        "\"10.0.0.1\"",
                        "11: services[0].reals[1].address: 10.0.0.1 is an address of this service (line 9) already"),
                Edit.of(
                        "\"10.0.0.2\"",
                        "\"192.0.2.1\"",
                        "11: services[0].reals[1].address: 192.0.2.1 is a VIP of this service (line 3)"),
                Edit.of(
                        "\"192.0.2.1\"",
                        "\n\"2001:db8::1\",\n\"2001:DB8:0::1\"",
                        "5: services[0].vips[1]: 2001:db8::1 is an address of this service (line 4) already"),
                Edit.of(
                        "weight = 1",
                        "weight = -1",
                        "12: services[0].reals[1].weight: -1 is out of range; use 0 to 65535"),
                Edit.of(
                        "weight = 1",
                        "weight = 65536",
                        "12: services[0].reals[1].weight: 65536 is out of range; use 0 to 65535"),
                Edit.of(
                        "weight = 1",
                        "wieght = 1",
                        "12: services[0].reals[1].wieght: unknown key, did you mean 'weight'?"),
                Edit.of(
                        "weight = 1",
                        "weight = 1\n[services.reals.tags]",
                        "13: services[0].reals[1].tags: unknown key"));
    }

    private static Edit vip(String value, String problem) {
        return Edit.of("\"192.0.2.1\"", "\"192.0.2.1\", " + value, "3: services[0].vips[1]: " + problem);
    }

    @TestFactory
    Stream<DynamicTest> refusesHealthChecks() {
        return tests(
                Edit.of(
                        "\"http\"",
                        "\"ping\"",
                        "7: services[0].health-check.type: \"ping\" is not known; use \"tcp\" or \"http\" or \"https\" or \"grpc\" or \"tls\" or \"udp\" or \"dns\" or \"icmp\" or \"exec\""),
                check(
                        "path = \"health\"",
                        ".path: \"health\" is not a path of a URL, which starts with / and has no spaces"),
                check(
                        "path = \"/a b\"",
                        ".path: \"/a b\" is not a path of a URL, which starts with / and has no spaces"),
                check("host = \"\"", ".host: \"\" is not the name of a host"),
                check("interval = \"-1s\"", ".interval: \"-1s\" is negative"),
                check("interval = \"0s\"", ".interval: \"0s\" is out of range; use \"10ms\" to \"3600s\""),
                check(
                        "interval = \"2 s\"",
                        ".interval: \"2 s\" is not a duration; write it like \"500ms\", \"2s\" or \"1m\""),
                check("interval = 2", ".interval: expected a duration such as \"2s\", found the number 2"),
                check("port = 0", ".port: 0 is out of range; use 1 to 65535"),
                check("prot = 8080", ".prot: unknown key, did you mean 'port'?"),
                check("intervall = \"2s\"", ".intervall: unknown key, did you mean 'interval'?"),
                check("interval = \"900ms\"", ".interval: the timeout of 1s is longer than the interval of 900ms"),
                check("timeout = \"2.5s\"", ".timeout: the timeout of 2500ms is longer than the interval of 2s"),
                check("rise = 0", ".rise: 0 is out of range; use 1 to 1000"),
                check("fall = \"3\"", ".fall: expected a number, found the string \"3\""),
                Edit.of(
                        "\"http\"",
                        "\"tcp\"\nhost = \"x\"",
                        "8: services[0].health-check.host: is only for a check of type \"http\" or \"https\""),
                Edit.of(
                        "[services.health-check]",
                        "health-check = 1",
                        "6: services[0].health-check: expected a table, found the number 1",
                        "7: services[0].type: unknown key"),
                check("[services.health-check]", ": is already defined in line 6"));
    }

    @TestFactory
    Stream<DynamicTest> refusesWhatNoCheckCanAsk() {
        return tests(
                check(
                        "down-interval = \"900ms\"",
                        ".down-interval: the timeout of 1s is longer than the down-interval of 900ms"),
                ofType(
                        "tcp",
                        "flap-hold = \"1m\"\nflap-hold-max = \"30s\"",
                        "9: services[0].health-check.flap-hold-max: is shorter than flap-hold, 60s"),
                check("via = \"road\"", ".via: \"road\" is not known; use \"tunnel\" or \"direct\""),
                check("packet-size = 100", ".packet-size: 100 is out of range; use 576 to 9216"),
                check("send = \"x\"", ".send: is only for a check of type \"tcp\" or \"udp\""),
                check("verify = true", ".verify: is only for a check of type \"https\" or \"grpc\" or \"tls\""),
                check("method = \"get\"", ".method: \"get\" is not a method of HTTP"),
                check(
                        "status = \"2xx\"",
                        ".status: \"2xx\" is not a list of status codes; use one such as \"200-299, 404\""),
                check("status = 99", ".status: 99 is out of range; use 200 to 599"),
                check("body-regex = \"(\"", ".body-regex: \"(\": missing closing ): ("),
                check("body = \"\"", ".body: \"\": what is looked for is not empty"),
                check(
                        "load = \"cpu\"",
                        ".load: \"cpu\" is not known; use \"orca\", \"header:NAME\" or \"json:/POINTER\""),
                check("headers = { \"a b\" = \"c\" }", ".headers.\"a b\": not the name of an HTTP header: \"a b\""),
                ofType("udp", "", "6: services[0].health-check.send: is missing"),
                ofType(
                        "tcp",
                        "send-hex = \"abc\"",
                        "8: services[0].health-check.send-hex: \"abc\" is not an even number of hexadecimal digits"),
                ofType(
                        "tcp",
                        "agent-check = true\nexpect = \"up\"",
                        "8: services[0].health-check.agent-check: its answer is a line of its own: take away what is expected"),
                ofType("dns", "", "6: services[0].health-check.query-name: is missing"),
                ofType(
                        "dns",
                        "query-name = \"a..b\"",
                        "8: services[0].health-check.query-name: \"a..b\" is not a name of DNS"),
                ofType(
                        "dns",
                        "query-name = \"a\"\nquery-type = \"any\"",
                        "9: services[0].health-check.query-type: \"any\" is not known; use \"a\" or \"aaaa\" or \"cname\" or \"mx\" or \"ns\" or \"ptr\" or \"soa\" or \"srv\" or \"txt\""),
                ofType("icmp", "port = 80", "8: services[0].health-check.port: an ICMP echo request has no port"),
                ofType(
                        "tls",
                        "packet-size = 1500",
                        "8: services[0].health-check.packet-size: is only for a check of type \"http\" or \"https\" or \"grpc\" or \"icmp\""),
                ofType("exec", "", "6: services[0].health-check.command: is missing"),
                ofType(
                        "exec",
                        "command = [\"true\"]",
                        "8: services[0].health-check.command: \"true\" is not an absolute path: commands run without a shell"),
                ofType(
                        "grpc",
                        "min-days = 3",
                        "8: services[0].health-check.min-days: is only for a check with tls = true"),
                ofType(
                        "https",
                        "ca-file = \"/nonexistent\"\nverify = true",
                        "8: services[0].health-check.ca-file: \"/nonexistent\" cannot be read: does not exist"),
                ofType(
                        "https",
                        "ca-file = \"/etc/hostname\"\nverify = true",
                        "8: services[0].health-check.ca-file: \"/etc/hostname\": not a certificate in PEM"),
                ofType(
                        "https",
                        "client-key-file = \"/etc/hostname\"",
                        "6: services[0].health-check.client-cert-file: is missing: a client's certificate needs both",
                        "8: services[0].health-check.client-key-file: \"/etc/hostname\": there is no private key of PKCS #8 in it, \"-----BEGIN PRIVATE KEY-----\"; openssl pkcs8 -topk8 -nocrypt makes one"));
    }

    @TestFactory
    Stream<DynamicTest> refusesWhatNoServiceCanDoWhenItsRealsFail() {
        return tests(
                service(
                        "panic-share = \"0%\"",
                        "panic-share: \"0%\" is not a share; use \"1%\" to \"100%\", of which \"100%\" turns the rule off"),
                service("panic-share = 50", "panic-share: expected a percentage such as \"50%\", found the number 50"),
                service("panic-window = \"10ms\"", "panic-window: \"10ms\" is out of range; use \"1s\" to \"3600s\""),
                service(
                        "all-down = \"panic\"",
                        "all-down: \"panic\" is not known; use \"withdraw\" or \"keep-all\" or \"sorry\""),
                Edit.of(
                        "port = 80\n",
                        "port = 80\nall-down = \"sorry\"\n",
                        "1: services[0].sorry: is missing: all-down = \"sorry\" needs the address of a real"),
                service("sorry = { address = \"10.0.9.9\" }", "sorry: is only for all-down = \"sorry\""),
                Edit.of(
                        "port = 80\n",
                        "port = 80\nall-down = \"sorry\"\nsorry = { address = \"here\" }\n",
                        "7: services[0].sorry.address: \"here\" is not an IP address (names are not resolved)"));
    }

    @TestFactory
    Stream<DynamicTest> refusesPortsThatCannotBe() {
        String unprobed =
                "services[0].health-check.port: is missing: the service has no port of its own that could be probed";
        return tests(
                Edit.of("= 80", "= 0", "5: services[0].port: 0 is not a port; write \"any\" for every port"),
                Edit.of("= 80", "= 65536", "5: services[0].port: 65536 is out of range; use 1 to 65535, or \"any\""),
                Edit.of(
                        "\"tcp\"\nport = 80\n",
                        "\"gre\"\nport = 0\n",
                        "5: services[0].port: 0 is not a port; write \"any\" for every port"),
                Edit.of("= 80", "= \"any\"", "6: " + unprobed),
                Edit.of(
                        "= 80",
                        "= \"any\"\nquorum = 0",
                        "6: services[0].quorum: 0 is out of range; use 1 to 65535",
                        "7: " + unprobed),
                Edit.of("\"tcp\"\nport = 80\n", "\"gre\"\n", "5: " + unprobed),
                Edit.of("\"tcp\"", "\"esp\"", "5: services[0].port: \"esp\" has no ports", "6: " + unprobed),
                Edit.of(
                        "\"tcp\"",
                        "\"any\"",
                        "5: services[0].port: with any protocol it cannot be but \"any\"",
                        "6: " + unprobed),
                Edit.of(
                        "\"tcp\"\nport = 80\n",
                        "\"any\"\nport = 99999\n",
                        "5: services[0].port: 99999 is out of range; use 1 to 65535, or \"any\""));
    }

    /** A line put after the type, in line 8. */
    private static Edit service(String line, String problem) {
        return Edit.of("port = 80\n", "port = 80\n" + line + "\n", "6: services[0]." + problem);
    }

    private static Edit ofType(String type, String lines, String... problems) {
        return Edit.of("\"http\"\n", "\"" + type + "\"\n" + lines + "\n", problems);
    }

    private static Edit check(String line, String problem) {
        return Edit.of("\"http\"\n", "\"http\"\n" + line + "\n", "8: services[0].health-check" + problem);
    }

    private Stream<DynamicTest> tests(Edit... edits) {
        return Stream.of(edits).map(edit -> dynamicTest(edit.problems().get(0), () -> check(edit)));
    }

    private void check(Edit edit) {
        ConfigFiles files = new ConfigFiles(directory).writeMain(ConfigFiles.SMALL);
        LoadResult result = files.writeServices("web.toml", edit.apply(GOOD)).load();
        assertEquals(edit.problems(), Edit.problems(result));
        assertEquals(List.of(), result.config().orElseThrow().services());
    }
}
