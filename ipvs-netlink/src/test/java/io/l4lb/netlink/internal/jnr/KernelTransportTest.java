// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.internal.jnr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.ipvs.IpvsClient;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkTransport;
import io.l4lb.netlink.NetlinkUnsupportedException;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import io.l4lb.netlink.generic.GenericNetlink;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.Descriptors;
import io.l4lb.test.Machine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Needs Linux but no privilege: it only reads the namespace that it runs in. */
@Tag("kernel")
@Timeout(120)
class KernelTransportTest {
    private static final int RTM_GETLINK = 18;
    private static final int LOOPBACK = 1;

    @Test
    void findsAFamilyAndMissesAnother() {
        try (GenericNetlink netlink = GenericNetlink.open()) {
            assertEquals(0x10, netlink.family("nlctrl").orElseThrow().id());
            assertTrue(netlink.family("nlctrl").orElseThrow().multicastGroups().containsKey("notify"));
            assertEquals(Optional.empty(), netlink.family("l4lb-none"));
        }
    }

    @Test
    void ipvsTellsItsVersionOrWhatIsMissing() {
        boolean loaded;
        try (GenericNetlink netlink = GenericNetlink.open()) {
            loaded = netlink.family("IPVS").isPresent();
        }
        if (!loaded) {
            assertThrows(NetlinkUnsupportedException.class, IpvsClient::open);
        }
        Machine.need("ipvs", loaded, "the kernel has no ip_vs");
        try (IpvsClient ipvs = IpvsClient.open()) {
            assertTrue(ipvs.info().version().startsWith("1."));
            assertTrue(ipvs.info().connectionTableSize() >= 256);
        }
    }

    @Test
    void datagramLargerThanTheBufferIsWhole() {
        SystemCalls calls = new SystemCalls(64);
        int socket = calls.socket(NetlinkProtocol.ROUTE);
        int waker = calls.eventDescriptor();
        try {
            calls.bind(socket);
            Octets loopback =
                    new OctetsWriter().zeros(4).u32Host(LOOPBACK).zeros(8).toOctets();
            calls.send(socket, new NetlinkMessage(RTM_GETLINK, NetlinkMessage.FLAG_REQUEST, 1, 0, loopback).encode());
            assertTrue(calls.poll(socket, waker, 10_000));
            Octets answer = calls.receive(socket).orElseThrow();
            assertTrue(answer.length() > 64);
            assertEquals(answer.length(), answer.i32Host(0));
        } finally {
            calls.close(socket);
            calls.close(waker);
        }
    }

    @Test
    void nothingToReceiveIsEmpty() {
        try (NetlinkTransport transport = NetlinkTransport.toKernel(NetlinkProtocol.ROUTE, List.of())) {
            assertEquals(Optional.empty(), transport.receive(Duration.ZERO));
            assertEquals(Optional.empty(), transport.receive(Duration.ofMillis(1)));
        }
    }

    @Test
    void closedTransportSendsNothing() {
        NetlinkTransport transport = NetlinkTransport.toKernel(NetlinkProtocol.ROUTE, List.of());
        transport.close();
        transport.close();
        assertEquals(
                "EBADF",
                assertThrows(NetlinkException.class, () -> transport.send(Octets.EMPTY))
                        .errno());
        assertEquals(Optional.empty(), transport.receive(Duration.ofSeconds(5)));
    }

    @Test
    void noDescriptorIsLeaked() {
        openAndClose();
        long before = Descriptors.ofSocketsAndEvents();
        for (int i = 0; i < 50; i++) {
            openAndClose();
        }
        assertEquals(before, Descriptors.ofSocketsAndEvents());
    }

    private static void openAndClose() {
        try (RouteTable table = RouteTable.open()) {
            assertFalse(table.links().isEmpty());
        }
        // A group that does not exist makes open fail after the socket is there.
        assertThrows(NetlinkException.class, () -> NetlinkTransport.toKernel(NetlinkProtocol.ROUTE, List.of(10_000)));
    }
}
