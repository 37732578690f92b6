// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.QUIC4;
import static io.l4lb.agent.dataplane.xdp.Samples.QUIC6;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.TWO;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.test.InNamespace;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** QUIC packets follow the server ID in their connection ID, and by the 5-tuple where there is none. */
@Tag("kernel")
final class ServerIdTest {
    private static final ConnectionIdLayout LAYOUT = new ConnectionIdLayout(8, 2, 3);
    private static final ServerId KNOWN = ServerId.ofHex("a1b2c3");
    /** First octet: rotation 2 and any five bits; server ID, nonce. */
    private static final String CID = "5f" + "a1b2c3" + "d4e5f607";

    private static final String REST = "0123456789abcdef0123456789abcdef";
    private static final String VERSION_1 = "00000001";
    private static final String VERSION_2 = "6b3343cf";

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private static String hex(String... parts) {
        return String.join("", parts);
    }

    /** Flags, version, length of the connection ID and the ID, that of the client and its length. */
    private static String longHeader(String first, String version, String cid) {
        String length = HexFormat.of().toHexDigits((byte) (cid.length() / 2));
        return hex(first, version, length, cid, "00", REST);
    }

    private static String shortHeader(String cid) {
        return hex("40", cid, REST);
    }

    /** Real ONE has a slot; TWO is drained and has the server ID. */
    private static Programs quic(ConnectionIdLayout layout, Map<ServerId, InetAddress> servers) {
        return program(Set.of(QUIC4, QUIC6), Map.of(ONE, 1, TWO, 0))
                .with(new PacketKey(HashKey.QUIC_CID, Optional.of(layout), servers));
    }

    private XdpDataplane open() {
        return lab.openWith(quic(LAYOUT, Map.of(KNOWN, TWO)), REALS);
    }

    private static InetAddress realOf(byte[] frame) {
        return ClientFlow.sent(DirectorLab.run(frame)).real();
    }

    private static void assertNamed(XdpDataplane dataplane, ServiceKey service, String payload) {
        Datagram datagram = Datagram.to(service, payload);
        assertEquals(TWO, realOf(datagram.frame()), payload);
        assertEquals(Optional.empty(), dataplane.remembered(datagram.key()));
    }

    private static void assertByTable(byte[] frame) {
        assertEquals(ONE, realOf(frame), () -> HexFormat.of().formatHex(frame));
    }

    @Test
    void aKnownServerIdNamesTheReal() {
        try (XdpDataplane dataplane = open()) {
            List<String> packets = List.of(
                    shortHeader(CID),
                    longHeader("c3", VERSION_1, CID),
                    longHeader("c3", VERSION_2, CID),
                    hex("00", CID, REST),
                    longHeader("80", VERSION_1, CID));
            for (ServiceKey service : List.of(QUIC4, QUIC6)) {
                packets.forEach(packet -> assertNamed(dataplane, service, packet));
            }
            assertEquals(10, dataplane.verdicts().get("forward-server-id"));
            assertEquals(0, dataplane.verdicts().get("forward-table"));
            assertEquals(5, dataplane.counters(QUIC4).getOrDefault(TWO, none()).packets());
        }
    }

    private static Counter none() {
        return new Counter(0, 0);
    }

    @Test
    void theWholePacketGoesThroughTheTunnel() {
        try (XdpDataplane dataplane = open()) {
            byte[] frame = Datagram.to(QUIC4, shortHeader(CID)).frame();
            byte[] sent = DirectorLab.run(frame).packet();
            assertEquals(frame.length + 20, sent.length);
            assertEquals(64, sent[14 + 8]);
            assertEquals(4, sent[14 + 9]);
            byte[] inner = Arrays.copyOfRange(frame, 14, frame.length);
            inner[8]--;
            inner[10] = sent[14 + 20 + 10]; // the checksum that belongs to the TTL
            inner[11] = sent[14 + 20 + 11];
            assertArrayEquals(inner, Arrays.copyOfRange(sent, 34, sent.length));
            assertEquals(1, dataplane.verdicts().get("forward-server-id"));
        }
    }

    @Test
    void anythingElseIsScheduledByTheFiveTuple() {
        try (XdpDataplane dataplane = open()) {
            List<String> packets = List.of(
                    shortHeader("5fa1b2c4d4e5f607"), // a server ID that nobody has
                    shortHeader("3fa1b2c3d4e5f607"), // rotation 1
                    shortHeader("ffa1b2c3d4e5f607"), // rotation 7
                    longHeader("c3", "00000000", CID), // version negotiation
                    longHeader("c3", "00000002", CID),
                    longHeader("c3", "01000000", CID),
                    longHeader("c3", "6b3343ce", CID),
                    longHeader("c3", VERSION_1, CID.substring(2)),
                    longHeader("c3", VERSION_1, CID + "00"),
                    longHeader("c3", VERSION_1, ""),
                    hex(),
                    hex("40"),
                    hex("c3"),
                    hex("c3", VERSION_1),
                    hex("c3", VERSION_1, "08"),
                    hex("c3", VERSION_1, "08", CID.substring(2)),
                    hex("40", CID.substring(2)));
            for (ServiceKey service : List.of(QUIC4, QUIC6)) {
                packets.forEach(
                        packet -> assertByTable(Datagram.to(service, packet).frame()));
                assertEquals(
                        Optional.of(ONE),
                        dataplane.remembered(Datagram.to(service, hex()).key()));
            }
            assertEquals(2, dataplane.verdicts().get("forward-table"));
            assertEquals(2L * packets.size() - 2, dataplane.verdicts().get("forward-flow"));
            assertEquals(0, dataplane.verdicts().get("forward-server-id"));
        }
    }

    /** No real packet of QUIC is as short, but the program must not read beyond it. */
    @Test
    void aPacketMayEndWithItsConnectionId() {
        try (XdpDataplane dataplane = open()) {
            for (ServiceKey service : List.of(QUIC4, QUIC6)) {
                assertNamed(dataplane, service, hex("40", CID));
                assertNamed(dataplane, service, hex("c3", VERSION_1, "08", CID));
            }
        }
    }

    @Test
    void bytesBehindTheDatagramAreNoPartOfIt() {
        try (XdpDataplane dataplane = open()) {
            for (ServiceKey service : List.of(QUIC4, QUIC6)) {
                Datagram shortForm = Datagram.to(service, shortHeader(CID));
                assertEquals(TWO, realOf(shortForm.frameWithout(16)));
                assertByTable(shortForm.frameWithout(17));
                Datagram longForm = Datagram.to(service, longHeader("c3", VERSION_1, CID));
                assertEquals(TWO, realOf(longForm.frameWithout(17)));
                assertByTable(longForm.frameWithout(18));
            }
            assertEquals(4, dataplane.verdicts().get("forward-server-id"));
        }
    }

    @Test
    void serverIdsOfEveryLength() {
        try (XdpDataplane dataplane = open()) {
            for (int length = 1; length <= ServerId.MAX_BYTES; length++) {
                ServerId serverId = ServerId.ofHex("0f1e2d3c4b5a69788796a5b4c3d2e1".substring(0, 2 * length));
                for (int total = length + 5; total <= ConnectionIdLayout.MAX_LENGTH; total++) {
                    ConnectionIdLayout layout = new ConnectionIdLayout(total, length % 7, length);
                    quic(layout, Map.of(serverId, TWO)).installOn(dataplane);
                    byte[] cid = layout.connectionId(serverId, new byte[layout.nonceLength()]);
                    String text = HexFormat.of().formatHex(cid);
                    assertNamed(dataplane, QUIC4, shortHeader(text));
                    assertNamed(dataplane, QUIC6, hex("40", text));
                    assertNamed(dataplane, QUIC4, longHeader("c3", VERSION_2, text));
                    cid[length]++;
                    Datagram other = new Datagram(
                            "198.51.100.8", 1, QUIC4, shortHeader(HexFormat.of().formatHex(cid)));
                    assertByTable(other.frame());
                }
            }
        }
    }

    @Test
    void serverIdsFollowTheirReals() {
        Datagram datagram = Datagram.to(QUIC4, shortHeader(CID));
        try (XdpDataplane dataplane = open()) {
            assertEquals(TWO, realOf(datagram.frame()));
            program(Set.of(QUIC4), Map.of(ONE, 1, TWO, 1, SIX, 0))
                    .with(new PacketKey(HashKey.QUIC_CID, Optional.of(LAYOUT), Map.of(KNOWN, SIX)))
                    .installOn(dataplane);
            assertEquals(SIX, realOf(datagram.frame()));
            program(Set.of(QUIC4), Map.of(ONE, 1))
                    .with(new PacketKey(HashKey.QUIC_CID, Optional.of(LAYOUT), Map.of()))
                    .installOn(dataplane);
            assertByTable(datagram.frame());
            quic(LAYOUT, Map.of(KNOWN, TWO)).installOn(dataplane);
            assertEquals(TWO, realOf(datagram.frame()));
            program(Set.of(QUIC4), Map.of(ONE, 1, TWO, 0)).installOn(dataplane);
            assertByTable(datagram.frame());
        }
    }

    /** Two services may have the same server IDs for other reals. */
    @Test
    void serverIdsOfServicesAreApart() {
        try (XdpDataplane dataplane = open()) {
            program(Set.of(QUIC6), Map.of(ONE, 1, SIX, 1))
                    .with(new PacketKey(HashKey.QUIC_CID, Optional.of(LAYOUT), Map.of(KNOWN, SIX)))
                    .installOn(dataplane);
            assertEquals(TWO, realOf(Datagram.to(QUIC4, shortHeader(CID)).frame()));
            assertEquals(SIX, realOf(Datagram.to(QUIC6, shortHeader(CID)).frame()));
            dataplane.remove(Set.of(QUIC6));
            assertEquals(TWO, realOf(Datagram.to(QUIC4, shortHeader(CID)).frame()));
        }
    }
}
