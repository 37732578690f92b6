// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.test.Await;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A director with 10.1.0.2 and fd00:1::2 on up0 (towards the default gateways) and 10.2.0.2 on up1 (towards 10.20.0.0/16). */
@Tag("kernel")
@Timeout(120)
class LocalVipsKernelTest {
    private static final String DIRECTOR = "director";
    private static final InetAddress VIP = ip("192.0.2.10");
    private static final InetAddress VIP6 = ip("2001:db8::10");

    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @AutoClose
    private LocalVips vips;

    @BeforeEach
    void connect() throws Exception {
        Machine.needNetworkNamespaces();
        namespaces.make(DIRECTOR);
        namespaces.batch(DIRECTOR, """
                link add up0 type veth peer name up1
                addr add 10.1.0.2/24 dev up0
                addr add fd00:1::2/64 dev up0 nodad
                addr add 10.2.0.2/24 dev up1
                link set up0 up
                link set up1 up
                route add default via 10.1.0.1
                route add default via fd00:1::1
                route add 10.20.0.0/16 via 10.2.0.1
                """);
        vips = ThreadContext.inNamespace(namespaces.name(DIRECTOR), LocalVips::open);
    }

    private String local(String vip) {
        String family = vip.contains(":") ? "-6 " : "";
        return namespaces
                .ip(DIRECTOR, family + "route show table local proto " + LocalVips.PROTOCOL + " " + vip)
                .strip();
    }

    @Test
    void addedAndRemoved() {
        vips.add(VIP);
        vips.add(VIP6);
        vips.add(VIP);
        assertEquals("local 192.0.2.10 dev lo scope host src 10.1.0.2", local("192.0.2.10"));
        assertTrue(local("2001:db8::10").startsWith("local 2001:db8::10 dev lo src fd00:1::2"), local("2001:db8::10"));
        assertEquals(Set.of(VIP, VIP6), vips.ours());
        assertTrue(vips.present().containsAll(Set.of(VIP, VIP6, ip("10.1.0.2"), ip("127.0.0.1"))));
        vips.remove(VIP);
        vips.remove(VIP);
        vips.remove(VIP6);
        assertEquals(Set.of(), vips.ours());
    }

    @Test
    void theSourceFollowsTheReals() {
        vips.add(VIP);
        vips.towards(List.of(ip("10.20.0.1"), ip("fd00:2::1")));
        vips.add(VIP);
        assertEquals("local 192.0.2.10 dev lo scope host src 10.2.0.2", local("192.0.2.10"));
        namespaces.ip(DIRECTOR, "route del 10.20.0.0/16");
        assertEquals(
                List.of("local route 192.0.2.10 changed"),
                vips.keep(Set.of(VIP)).notes());
        assertEquals("local 192.0.2.10 dev lo scope host src 10.1.0.2", local("192.0.2.10"));
    }

    @Test
    void keptWhenSomebodyRemovesThem() {
        Set<InetAddress> both = Set.of(VIP, VIP6);
        assertEquals(2, vips.keep(both).notes().size());
        assertEquals(new LocalVips.Kept(List.of(), Map.of(), Set.of()), vips.keep(both));
        namespaces.ip(DIRECTOR, "route del local 192.0.2.10 dev lo table local");
        // With the address the kernel takes the IPv6 route's source, but leaves the route.
        namespaces.ip(DIRECTOR, "addr add fd00:1::3/64 dev up0 nodad");
        namespaces.ip(DIRECTOR, "addr del fd00:1::2/64 dev up0");
        assertEquals(
                Set.of("local route 192.0.2.10 added", "local route 2001:db8::10 changed"),
                Set.copyOf(vips.keep(both).notes()));
        assertTrue(local("2001:db8::10").contains("src fd00:1::3"), local("2001:db8::10"));
    }

    @Test
    void whatOthersMadeLocalIsLeft() {
        namespaces.batch(DIRECTOR, """
                addr add 192.0.2.10/32 dev lo
                addr add 2001:db8::10/128 dev lo nodad
                route add local 192.0.2.11 dev lo
                """);
        InetAddress routed = ip("192.0.2.11");
        Set<InetAddress> all = Set.of(VIP, VIP6, routed);
        Await.await("all are local", () -> vips.present().containsAll(all));
        assertEquals(new LocalVips.Kept(List.of(), Map.of(), all), vips.keep(all));
        for (InetAddress vip : all) {
            vips.add(vip);
            vips.remove(vip);
        }
        assertTrue(vips.present().containsAll(all));
        assertEquals(Set.of(), vips.ours());
    }

    /** Somebody adds the address later: ours goes, theirs stays. */
    @Test
    void bothAtOnce() {
        vips.add(VIP);
        vips.add(VIP6);
        namespaces.ip(DIRECTOR, "addr add 192.0.2.10/32 dev lo");
        namespaces.ip(DIRECTOR, "addr add 2001:db8::10/128 dev lo nodad");
        // The kernel makes the route of an IPv6 address a little later.
        Set<InetAddress> both = Set.of(VIP, VIP6);
        Await.await("both are others'", () -> vips.keep(both).others().equals(both));
        vips.remove(VIP);
        vips.remove(VIP6);
        assertEquals(Set.of(), vips.ours());
        assertTrue(vips.present().containsAll(Set.of(VIP, VIP6)));
    }

    @Test
    void aVipOnAnInterfaceIsNoSource() {
        namespaces.batch(DIRECTOR, """
                addr flush dev up0
                addr flush dev up1
                addr add 192.0.2.10/32 dev lo
                """);
        LocalVips.Kept kept = vips.keep(Set.of(VIP, ip("192.0.2.11"), VIP6));
        assertEquals(Set.of(VIP), kept.others());
        assertEquals(
                "VIP 192.0.2.11: the director has no IPv4 address of its own to send to it from: give one of its"
                        + " interfaces an address",
                kept.problems().get(ip("192.0.2.11")));
        DataplaneException e = assertThrows(DataplaneException.class, () -> vips.add(VIP6));
        assertTrue(String.valueOf(e.getMessage()).startsWith("VIP 2001:db8::10: the director has no IPv6"));
        namespaces.ip(DIRECTOR, "addr add 10.3.0.2/24 dev up1");
        assertEquals(
                List.of("local route 192.0.2.11 added"),
                vips.keep(Set.of(VIP, ip("192.0.2.11"))).notes());
        assertEquals("local 192.0.2.11 dev lo scope host src 10.3.0.2", local("192.0.2.11"));
    }

    @Test
    void loopbackIsDown() {
        namespaces.ip(DIRECTOR, "link set lo down");
        DataplaneException e = assertThrows(DataplaneException.class, () -> vips.add(VIP));
        assertEquals(
                "VIP 192.0.2.10 cannot be made local: the interface lo is down: ip link set lo up", e.getMessage());
        assertEquals(Set.of(VIP6), vips.keep(Set.of(VIP6)).problems().keySet());
        assertFalse(vips.present().contains(VIP));
    }
}
