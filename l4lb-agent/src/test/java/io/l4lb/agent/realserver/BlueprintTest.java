// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is planned, by what was asked for and what is known of the server. */
class BlueprintTest {
    private static final InetAddress VIP4 = ip("192.0.2.10");
    private static final InetAddress VIP6 = ip("2001:db8::10");
    private static final Path PINS = Path.of("/sys/fs/bpf/l4lb-real");
    private static final Facts ALL_MODULES = FakeHost.facts(KernelTunnels.MODULES, 1);
    private static final Facts NO_MODULES = FakeHost.facts(Set.of(), 1);

    private static SetupRequest request(Method method, InetAddress... vips) {
        return new SetupRequest(List.of(vips), Optional.empty(), method, List.of(), PINS);
    }

    private static SetupRequest from(String source, Method method) {
        return new SetupRequest(List.of(VIP4), Optional.of("eth0"), method, List.of(Prefix.parse(source)), PINS);
    }

    private static Facts with(Facts facts, Facts.Ways ways) {
        return new Facts(facts.devices(), facts.addresses(), facts.modules(), ways, facts.ipv6());
    }

    private static List<String> lines(Blueprint blueprint) {
        return blueprint.pieces().stream()
                .map(piece -> piece.item() + " = " + piece.value())
                .toList();
    }

    private static List<String> problems(SetupRequest request, Facts facts) {
        return assertThrows(RealServerException.class, () -> Blueprint.of(request, facts))
                .problems();
    }

    @Test
    void ourProgramNeedsWhatItMayOpen() {
        Blueprint blueprint = Blueprint.of(request(Method.BPF, VIP4, VIP6), NO_MODULES);
        assertEquals("eth0", blueprint.interfaceName());
        assertEquals("""
                device lo = up
                net.ipv4.conf.eth0.arp_ignore = 1
                net.ipv4.conf.eth0.arp_announce = 2
                net.ipv6.conf.lo.disable_ipv6 = 0
                address 192.0.2.10/32 on lo = present
                address 2001:db8::10/128 on lo = present
                net.ipv6.conf.eth0.disable_ipv6 = 0
                bpffs at /sys/fs/bpf = mounted
                decapsulating program on eth0 = %s
                tunnels from ::/0 = present
                tunnels to 10.0.1.1 = present
                tunnels to fd00:1::1 = present
                tunnels for 192.0.2.10 = present
                tunnels for 2001:db8::10 = present
                """.formatted(TunnelProgram.currentBuild()), String.join("\n", lines(blueprint)) + "\n");
    }

    @Test
    void theKernelNeedsItsDevices() {
        assertEquals("""
                device lo = up
                net.ipv4.conf.eth0.arp_ignore = 1
                net.ipv4.conf.eth0.arp_announce = 2
                net.ipv6.conf.lo.disable_ipv6 = 0
                address 192.0.2.10/32 on lo = present
                address 2001:db8::10/128 on lo = present
                kernel module ipip = loaded
                kernel module sit = loaded
                kernel module ip6_tunnel = loaded
                kernel module fou = loaded
                net.ipv4.conf.tunl0.rp_filter = 2
                address 192.0.2.10/32 on tunl0 = present
                device tunl0 = up
                net.ipv6.conf.sit0.disable_ipv6 = 0
                device sit0 = up
                tunnel mode of ip6tnl0 = any/ipv6
                net.ipv4.conf.ip6tnl0.rp_filter = 2
                address 192.0.2.10/32 on ip6tnl0 = present
                net.ipv6.conf.ip6tnl0.disable_ipv6 = 0
                device ip6tnl0 = up
                port of GUE over ipv4 = 6080
                port of GUE over ipv6 = 6080
                """, String.join("\n", lines(Blueprint.of(request(Method.AUTO, VIP4, VIP6), ALL_MODULES))) + "\n");
    }

    @Test
    void nothingIsMadeForFamiliesThatAreNotThere() {
        Facts ipv4 = new Facts(
                ALL_MODULES.devices(),
                List.of(new Facts.HostAddress("eth0", ip("10.0.1.1"))),
                Set.of("ipip", "fou"),
                ALL_MODULES.ways(),
                false);
        Blueprint blueprint = Blueprint.of(request(Method.AUTO, VIP4), ipv4);
        assertEquals(Method.KERNEL, blueprint.method());
        assertFalse(String.join("\n", lines(blueprint)).contains("ip6"));
        assertFalse(String.join("\n", lines(blueprint)).contains("sit0"));
    }

    @Test
    void ourProgramDoesItWhereTheKernelLacksSomething() {
        Blueprint blueprint =
                Blueprint.of(request(Method.AUTO, VIP4, VIP6), FakeHost.facts(Set.of("ipip", "sit", "ip6_tunnel"), 0));
        assertEquals(Method.BPF, blueprint.method());
        assertTrue(blueprint.notes().get(0).contains("the kernel has no fou"), blueprint.notes()::toString);
    }

    @Test
    void allProblemsAreToldTogether() {
        List<Facts.HostAddress> addresses = new ArrayList<>(NO_MODULES.addresses());
        addresses.add(new Facts.HostAddress("eth0", VIP4));
        Facts facts = new Facts(
                NO_MODULES.devices(),
                addresses,
                Set.of("ipip"),
                new Facts.Ways(Optional.of("eth0"), Map.of(), 0, 3),
                false);
        List<String> problems = problems(request(Method.KERNEL, VIP4, VIP6), facts);
        assertEquals(4, problems.size(), problems::toString);
        assertTrue(problems.get(0).startsWith("this kernel has no IPv6"));
        assertTrue(problems.get(1).startsWith("192.0.2.10 is an address of eth0 already"));
        assertTrue(problems.get(2).startsWith("net.ipv4.conf.all.arp_ignore is 3"));
        assertTrue(problems.get(3).startsWith("the kernel has no sit, ip6_tunnel, fou"));
    }

    @Test
    void interfacesAreFoundOrMissed() {
        SetupRequest request = new SetupRequest(List.of(VIP4), Optional.of("eth7"), Method.BPF, List.of(), PINS);
        assertEquals(List.of("there is no interface eth7; there are: lo, eth0"), problems(request, NO_MODULES));
        Facts noDefault = with(NO_MODULES, new Facts.Ways(Optional.empty(), Map.of(), 0, 0));
        assertEquals(
                List.of("there is no default route: name the --interface"),
                problems(request(Method.BPF, VIP4), noDefault));
        Facts bare =
                new Facts(List.of(new Facts.Device("eth0", 1500, false)), List.of(), Set.of(), NO_MODULES.ways(), true);
        List<String> problems = problems(request(Method.BPF, VIP4), bare);
        assertEquals("eth0 has no address: no director could send to it", problems.get(0));
        assertTrue(problems.get(1).startsWith("eth0 is not of Ethernet's kind"));
    }

    @Test
    void strictFilterIsLoosenedOnlyWhereTheWayBackIsAnother() {
        String loosened = "net.ipv4.conf.eth0.rp_filter = 2";
        SetupRequest request = new SetupRequest(List.of(VIP4), Optional.of("eth0"), Method.BPF, List.of(), PINS);
        assertFalse(lines(Blueprint.of(request, NO_MODULES)).contains(loosened));
        Facts elsewhere = with(NO_MODULES, new Facts.Ways(Optional.of("eth1"), Map.of(), 1, 0));
        assertTrue(lines(Blueprint.of(request, elsewhere)).contains(loosened));
        Facts loose = with(NO_MODULES, new Facts.Ways(Optional.of("eth1"), Map.of(), 2, 0));
        assertFalse(lines(Blueprint.of(request, loose)).contains(loosened));
    }

    @Test
    void theKernelFiltersOuterSources() {
        Prefix source = Prefix.parse("172.16.0.0/12");
        Facts elsewhere =
                with(ALL_MODULES, new Facts.Ways(Optional.of("eth0"), Map.of(source, Optional.of("eth1")), 1, 0));
        assertTrue(lines(Blueprint.of(from("172.16.0.0/12", Method.KERNEL), elsewhere))
                .contains("net.ipv4.conf.eth0.rp_filter = 2"));
        Facts nowhere = with(ALL_MODULES, new Facts.Ways(Optional.of("eth0"), Map.of(source, Optional.empty()), 1, 0));
        assertTrue(problems(from("172.16.0.0/12", Method.KERNEL), nowhere)
                .get(0)
                .startsWith("there is no route back to 172.16.0.0/12"));
        Blueprint blueprint = Blueprint.of(from("172.16.0.0/12", Method.AUTO), nowhere);
        assertEquals(Method.BPF, blueprint.method());
        assertTrue(lines(blueprint).contains("tunnels from 172.16.0.0/12 = present"));
    }

    @Test
    void adviceNamesSizes() {
        String advice = String.join(
                "\n", Blueprint.of(request(Method.BPF, VIP4), NO_MODULES).notes());
        assertTrue(advice.contains("MTU 1548"), advice);
        assertTrue(advice.contains("'advmss 1412' on this server's IPv4 default route"), advice);
        assertTrue(advice.contains("'advmss 1392' on its IPv6 one; that helps TCP alone"), advice);
        assertTrue(advice.contains("mss-clamp lowers only what this server sends"), advice);
        List<String> big = SizeAdvice.of(new Facts.Device("eth0", 1600, true), NO_MODULES.addresses());
        assertTrue(big.get(1).startsWith("eth0 takes them"), big::toString);
    }
}
