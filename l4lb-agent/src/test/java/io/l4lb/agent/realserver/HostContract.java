// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What holds for a server of paper and for a real one, both with eth0. */
abstract class HostContract {
    private static final Item ARP_IGNORE = Item.setting("net/ipv4/conf/eth0/arp_ignore");
    private static final Item NO_SETTING = Item.setting("net/ipv4/conf/nosuch0/arp_ignore");
    private static final Item VIP4 = Item.address(ip("192.0.2.10"), "lo");
    private static final Item VIP6 = Item.address(ip("2001:db8::10"), "lo");

    abstract Host host();

    @Test
    void settingsAreWrittenAndRead() {
        try (Host host = host()) {
            assertEquals("0", host.read(ARP_IGNORE));
            host.write(ARP_IGNORE, "1");
            assertEquals("1", host.read(ARP_IGNORE));
        }
    }

    @Test
    void settingsOfWhatIsNotThereHaveNoValue() {
        try (Host host = host()) {
            assertEquals("", host.read(NO_SETTING));
            assertThrows(RealServerException.class, () -> host.write(NO_SETTING, "1"));
        }
    }

    @Test
    void addressesComeAndGo() {
        try (Host host = host()) {
            for (Item vip : List.of(VIP4, VIP6)) {
                assertEquals("", host.read(vip));
                host.write(vip, Item.PRESENT);
                assertEquals(Item.PRESENT, host.read(vip));
                assertThrows(RealServerException.class, () -> host.write(vip, Item.PRESENT));
                host.write(vip, "");
                assertEquals("", host.read(vip));
                assertThrows(RealServerException.class, () -> host.write(vip, ""));
            }
        }
    }

    @Test
    void whatWasNotSetUpIsNotThere() {
        try (Host host = host()) {
            for (Kind kind : List.of(Kind.TUNNEL_END, Kind.OPENED_VIP, Kind.TUNNEL_SOURCE)) {
                assertEquals("", host.read(new Item(kind, "192.0.2.10")));
            }
            assertEquals("", host.read(new Item(Kind.PROGRAM, "eth0")));
            assertEquals("", host.read(new Item(Kind.DEVICE, "nosuch0")));
            assertEquals("up", host.read(new Item(Kind.DEVICE, "lo")));
            assertTrue(host.counters().isEmpty());
        }
    }
}
