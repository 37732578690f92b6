// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** One edit of a good file, and every problem that it leads to. */
class BrokenValuesTest {
    @TempDir
    private Path directory = Path.of("");

    @TestFactory
    Stream<DynamicTest> refusesValuesOfTheAgent() {
        return tests(
                Edit.of("[agent]", "[agents]", "1: agents: unknown key, did you mean 'agent'?"),
                Edit.of("\"xdp\"", "\"dpdk\"", "2: agent.dataplane: \"dpdk\" is not known; use \"xdp\" or \"ipvs\""),
                Edit.of("\"xdp\"", "true", "2: agent.dataplane: expected a string, found true"),
                Edit.of(
                        "\"/run/l4lb/",
                        "\"run/",
                        "3: agent.control-socket: \"run/control.sock\" is not an absolute path"),
                Edit.of(
                        "/run/l4lb/control.sock",
                        "/" + "x".repeat(107),
                        "3: agent.control-socket: \"/" + "x".repeat(59)
                                + "…\" is too long for a socket, which takes 107 bytes"),
                Edit.of("\"/var/lib/l4lb\"", "5", "4: agent.state-dir: expected a path, found the number 5"),
                Edit.of("\"/var/lib/l4lb\"", "\"\\u0000\"", "4: agent.state-dir: \"?\" is not a path"),
                Edit.of("\"DIR\"", "\"services.d\"", "5: agent.services-dir: \"services.d\" is not an absolute path"),
                Edit.of(
                        "127.0.0.1:9650",
                        "0.0.0.0:9650",
                        "6: agent.metrics-listen: \"0.0.0.0:9650\" is not a loopback address"),
                Edit.of(
                        "127.0.0.1:9650",
                        "localhost:1",
                        "6: agent.metrics-listen: \"localhost\" is not an IP address (names are not resolved)"),
                Edit.of(
                        "127.0.0.1:9650",
                        "127.0.0.1",
                        "6: agent.metrics-listen: \"127.0.0.1\" is not an address and port; write it like \"127.0.0.1:9650\""),
                Edit.of(
                        "127.0.0.1:9650",
                        "127.0.0.1:0",
                        "6: agent.metrics-listen: port 0 is out of range; use 1 to 65535"),
                Edit.of("\"SEED\"", "\"/no/seed\"", "7: agent.hash-seed-file: \"/no/seed\" does not exist"),
                Edit.of("\"SEED\"", "\"/\"", "7: agent.hash-seed-file: \"/\" is not a regular file"),
                Edit.of("state-dir", "state_dir", "4: agent.state_dir: unknown key, did you mean 'state-dir'?"),
                Edit.of("state-dir", "\"colour of\\nit\"", "4: agent.\"colour of?it\": unknown key"));
    }

    @TestFactory
    Stream<DynamicTest> refusesValuesOfXdp() {
        return tests(
                Edit.of("interfaces = [\"eth0\"]\n", "", "9: xdp.interfaces: is missing"),
                Edit.of("\"eth0\"", "", "10: xdp.interfaces: names no interface"),
                Edit.of("\"eth0\"", "\"eth0\", \"eth0\"", "10: xdp.interfaces[1]: \"eth0\" is in the list already"),
                Edit.of(
                        "[\"eth0\"]",
                        "\"eth0\"",
                        "10: xdp.interfaces: expected an array of strings, found the string \"eth0\""),
                Edit.of(
                        "\"eth0\"",
                        "\n0\n",
                        "11: xdp.interfaces[0]: expected the name of an interface, found the number 0"),
                Edit.of("\"eth0\"", "\"eth/0\"", "10: xdp.interfaces[0]: \"eth/0\" cannot be the name of an interface"),
                Edit.of(
                        "\"auto\"  ",
                        "\"fast\"  ",
                        "11: xdp.mode: \"fast\" is not known; use \"auto\" or \"native\" or \"generic\""),
                Edit.of("\"gateway\"", "\"arp\"", "12: xdp.next-hop: \"arp\" is not known; use \"gateway\" or \"fib\""),
                Edit.of(
                        "/sys/fs/bpf/l4lb",
                        "/sys/fs/bpf/l4lb.1",
                        "13: xdp.pin-dir: \"/sys/fs/bpf/l4lb.1\" has a dot in a name, which BPF file systems refuse"),
                Edit.of("1500", "1279", "14: xdp.mtu: 1279 is out of range; use 1280 to 65535"),
                Edit.of("1500", "65536", "14: xdp.mtu: 65536 is out of range; use 1280 to 65535"),
                Edit.of("1500", "1500.0", "14: xdp.mtu: expected a whole number, found the number 1500.0"),
                Edit.of("1500", "1979-05-27", "14: xdp.mtu: expected a number, found 1979-05-27"),
                Edit.of("1500", "[1500]", "14: xdp.mtu: expected a number, found an array"),
                Edit.of("1500", "{ v4 = 1500 }", "14: xdp.mtu: expected a number, found a table"),
                Edit.of(
                        "1500",
                        "1500\nflow-table-size = 1023",
                        "15: xdp.flow-table-size: 1023 is out of range; use 1024 to 16777216"));
    }

    @TestFactory
    Stream<DynamicTest> refusesFeaturesOfXdp() {
        return tests(
                xdp("flow-table = \"global\"", "flow-table: \"global\" is not known; use \"per-cpu\" or \"shared\""),
                xdp(
                        "flow-table-on-upgrade = \"keep\"",
                        "flow-table-on-upgrade: \"keep\" is not known; use \"migrate\" or \"drop\""),
                xdp("new-flow-limit = -1", "new-flow-limit: -1 is out of range; use 0 to 1000000000"),
                xdp(
                        "tcp-opening-timeout = \"0s\"",
                        "tcp-opening-timeout: \"0s\" is out of range; use \"1s\" to \"604800s\""),
                xdp("tcp-timeout = \"169h\"", "tcp-timeout: \"169h\" is out of range; use \"1s\" to \"604800s\""),
                xdp(
                        "tcp-closing-timeout = 60",
                        "tcp-closing-timeout: expected a duration such as \"2s\", found the number 60"),
                xdp(
                        "udp-timeout = \"1d\"",
                        "udp-timeout: \"1d\" is not a duration; write it like \"500ms\", \"2s\" or \"1m\""),
                xdp(
                        "fragment-timeout = \"999ms\"",
                        "fragment-timeout: \"999ms\" is out of range; use \"1s\" to \"604800s\""),
                xdp("echo-replies = 1", "echo-replies: expected true or false, found the number 1"),
                xdp("too-big-answers = \"yes\"", "too-big-answers: expected true or false, found the string \"yes\""),
                xdp("chain = []", "chain: expected true or false, found an array"),
                xdp("mss-clamp = 535", "mss-clamp: 535 is out of range; use 536 to 65495, or 0 for no clamp"),
                xdp("mss-clamp = 65496", "mss-clamp: 65496 is out of range; use 536 to 65495, or 0 for no clamp"),
                xdp("mss-clamp = -1", "mss-clamp: -1 is out of range; use 536 to 65495, or 0 for no clamp"),
                xdp("mss-clmp = 1", "mss-clmp: unknown key, did you mean 'mss-clamp'?"));
    }

    @TestFactory
    Stream<DynamicTest> refusesOuterSources() {
        return tests(
                xdp(
                        "tunnel-source4 = \"10.0.0.16\"",
                        "tunnel-source4: \"10.0.0.16\" is not a prefix; write it like \"10.0.0.16/28\""),
                xdp("tunnel-source6 = 28", "tunnel-source6: expected a prefix, found the number 28"),
                xdp(
                        "tunnel-source4 = \"fd00::/120\"",
                        "tunnel-source4: \"fd00::/120\" is not a prefix of IPv4 addresses"),
                xdp(
                        "tunnel-source6 = \"10.0.0.0/24\"",
                        "tunnel-source6: \"10.0.0.0/24\" is not a prefix of IPv6 addresses"),
                xdp(
                        "tunnel-source4 = \"10.0.0.0/15\"",
                        "tunnel-source4: \"10.0.0.0/15\" has a length out of range; use 16 to 32"),
                xdp(
                        "tunnel-source4 = \"10.0.0.0/33\"",
                        "tunnel-source4: \"10.0.0.0/33\" has a length out of range; use 16 to 32"),
                xdp(
                        "tunnel-source6 = \"fd00::/64\"",
                        "tunnel-source6: \"fd00::/64\" has a length out of range; use 112 to 128"),
                xdp(
                        "tunnel-source4 = \"10.0.0.17/28\"",
                        "tunnel-source4: \"10.0.0.17/28\" is an address in a prefix; the prefix is \"10.0.0.16/28\""),
                xdp(
                        "tunnel-source6 = \"fd00::101/120\"",
                        "tunnel-source6: \"fd00::101/120\" is an address in a prefix; the prefix is \"fd00::100/120\""),
                xdp("tunnel-source4 = \"127.0.0.0/16\"", "tunnel-source4: \"127.0.0.0\" is a loopback address"),
                xdp("tunnel-source4 = \"x/28\"", "tunnel-source4: \"x\" is not an IP address (names are not resolved)"),
                Edit.of(
                        "1500",
                        "1500\ntunnel-source4 = \"10.0.1.0/31\"",
                        "45: services[0].reals[0].address: 10.0.1.1 is in xdp.tunnel-source4 (line 15): it would drop what"
                                + " seems to come from itself"));
    }

    /** A line put after the MTU, in line 15. */
    private static Edit xdp(String line, String problem) {
        return Edit.of("1500", "1500\n" + line, "15: xdp." + problem);
    }

    /** An IPv6 packet of 1280 bytes has to fit, since nobody can be told to send smaller ones. */
    @TestFactory
    Stream<DynamicTest> refusesAnMtuThatIsTooSmallForIpv6() {
        String small =
                "26: services[0].vips[1]: IPv6 packets of 1280 bytes, which any client may send, do not fit xdp.mtu, "
                        + "%d, once encapsulated; it has to be %d or more";
        return tests(
                Edit.of("1500", "1299", small.formatted(1299, 1300)),
                Edit.of(
                        "1500",
                        "1280\nmod = 1",
                        "15: xdp.mod: unknown key, did you mean 'mode'?",
                        small.replace("26:", "27:").formatted(1280, 1300)));
    }

    @TestFactory
    Stream<DynamicTest> refusesValuesOfBgp() {
        return tests(
                Edit.of("65001", "0", "17: bgp.local-as: 0 is out of range; use 1 to 4294967294"),
                Edit.of("65001", "4294967295", "17: bgp.local-as: 4294967295 is out of range; use 1 to 4294967294"),
                Edit.of(
                        "65001",
                        "99999999999999999999",
                        "17: bgp.local-as: 99999999999999999999 is out of range; use 1 to 4294967294"),
                Edit.of("local-as = 65001\n", "", "16: bgp.local-as: is missing"),
                Edit.of("10.0.0.11", "2001:db8::1", "18: bgp.router-id: \"2001:db8::1\" is not an IPv4 address"),
                Edit.of("10.0.0.11", "0.0.0.0", "18: bgp.router-id: \"0.0.0.0\" cannot be a router id"),
                Edit.of(
                        "10.0.0.11\"",
                        "10.0.0.11\"\nhold-time = \"2s\"",
                        "19: bgp.hold-time: \"2s\" is out of range; use \"3s\" to \"65535s\""),
                Edit.of(
                        "10.0.0.11\"",
                        "10.0.0.11\"\nhold-time = \"3500ms\"",
                        "19: bgp.hold-time: \"3500ms\" is not a whole number of seconds"),
                Edit.of(
                        "10.0.0.11\"",
                        "10.0.0.11\"\nhold-time = 9",
                        "19: bgp.hold-time: expected a duration such as \"2s\", found the number 9"),
                Edit.of(
                        "10.0.0.11\"",
                        "10.0.0.11\"\nexabgp = \"exabgp\"",
                        "19: bgp.exabgp: \"exabgp\" is not an absolute path"),
                Edit.of(
                        "\"10.0.0.1\"",
                        "\"router\"",
                        "21: bgp.neighbors[0].address: \"router\" is not an IP address (names are not resolved)"),
                Edit.of("\"10.0.0.1\"", "\"::\"", "21: bgp.neighbors[0].address: \"::\" is the unspecified address"),
                Edit.of(
                        "65000\n",
                        "\"65000\"\n",
                        "22: bgp.neighbors[0].peer-as: expected a number, found the string \"65000\""),
                Edit.of(
                        "[[bgp.neighbors]]\naddress = \"10.0.0.1\"\npeer-as = 65000\n",
                        "",
                        "16: bgp.neighbors: is missing"),
                Edit.of(
                        "peer-as = 65000\n",
                        "peer-as = 65000\n[[bgp.neighbors]]\naddress = \"10.0.0.1\"\npeer-as = 1\n",
                        "24: bgp.neighbors[1].address: is the address of bgp.neighbors[0] already"),
                Edit.of(
                        "\"192.0.2.10\"",
                        "\"10.0.0.1\"",
                        "26: services[0].vips[0]: 10.0.0.1 is the address of a BGP neighbor (line 21)"),
                Edit.of("local-as", "[bgp]\nlocal-as", "17: bgp: is already defined in line 16"),
                Edit.of(
                        "[[bgp.neighbors]]",
                        "[bgp.neighbors]",
                        "20: bgp.neighbors: expected an array of tables, found a table"));
    }

    private Stream<DynamicTest> tests(Edit... edits) {
        return Stream.of(edits).map(edit -> dynamicTest(edit.problems().get(0), () -> check(edit)));
    }

    private void check(Edit edit) {
        ConfigFiles files = new ConfigFiles(directory);
        LoadResult result = files.writeMain(edit.apply(ConfigFiles.WHOLE)).load();
        assertEquals(edit.problems(), Edit.problems(result));
        assertTrue(result.config().isEmpty());
    }
}
