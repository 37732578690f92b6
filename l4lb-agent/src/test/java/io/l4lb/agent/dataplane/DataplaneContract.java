// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every dataplane does, the kernel's and the fake. */
public abstract class DataplaneContract {
    protected static final HashSeed SEED = new HashSeed(1, 2);
    private static final ServiceKey WEB4 = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 80);
    private static final ServiceKey WEB6 = new ServiceKey(ip("2001:db8::10"), Protocol.TCP, 80);
    private static final ServiceKey DNS = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 53);
    private static final ServiceKey DNS6 = new ServiceKey(ip("2001:db8::10"), Protocol.UDP, 53);
    private static final InetAddress ONE = ip("10.0.1.1");
    private static final InetAddress TWO = ip("10.0.1.2");
    private static final InetAddress SIX = ip("fd00::3");

    private Dataplane dataplane = new InMemoryDataplane();

    /** An empty one. */
    protected abstract Dataplane open();

    @BeforeEach
    void openOne() {
        dataplane = open();
    }

    @AfterEach
    void closeIt() {
        dataplane.close();
    }

    @Test
    void startsEmpty() {
        dataplane.keepAttached();
        assertEquals(Map.of(), dataplane.observe());
    }

    @Test
    void hasWhatWasInstalled() {
        ServiceProgram program = program(WEB4, 251, Map.of(ONE, 1, TWO, 3, SIX, 0));
        ObservedService result = dataplane.install(program);
        assertTrue(result.does(program));
        assertEquals(Map.of(WEB4, result), dataplane.observe());
        assertEquals(Set.of(ONE, TWO), result.slots().keySet());
        assertEquals(
                251,
                result.slots().values().stream().mapToInt(Integer::intValue).sum());
        assertEquals(Set.of(ONE, TWO, SIX), result.active());
    }

    @Test
    void changesReplaceWhatWasThere() {
        dataplane.install(program(WEB4, 251, Map.of(ONE, 1)));
        ServiceProgram changed = program(WEB4, 251, Map.of(TWO, 1));
        ObservedService result = dataplane.install(changed);
        assertTrue(result.does(changed));
        assertEquals(Set.of(TWO), result.active());
        assertEquals(Map.of(WEB4, result), dataplane.observe());
    }

    @Test
    void anotherTableSizeIsInstalledAtOnce() {
        dataplane.install(program(WEB4, 251, Map.of(ONE, 1)));
        for (int size : List.of(65537, 251, 509)) {
            ServiceProgram resized = program(WEB4, size, Map.of(ONE, 1, TWO, 1));
            ObservedService result = dataplane.install(resized);
            assertTrue(result.does(resized));
            assertEquals(Map.of(WEB4, result), dataplane.observe());
        }
    }

    @Test
    void servicesAreApart() {
        ServiceProgram web4 = program(WEB4, 251, Map.of(ONE, 1));
        ServiceProgram web6 = program(WEB6, 251, Map.of(SIX, 1));
        ServiceProgram dns = program(DNS, 509, Map.of(ONE, 1, TWO, 1));
        for (ServiceProgram program : List.of(web4, web6, dns)) {
            dataplane.install(program);
        }
        assertEquals(Set.of(WEB4, WEB6, DNS), dataplane.observe().keySet());
        dataplane.install(program(WEB6, 251, Map.of(ONE, 1)));
        dataplane.remove(Set.of(WEB6));
        Map<ServiceKey, ObservedService> left = dataplane.observe();
        assertEquals(Set.of(WEB4, DNS), left.keySet());
        assertTrue(left.values().stream().anyMatch(service -> service.does(web4)));
        assertTrue(left.values().stream().anyMatch(service -> service.does(dns)));
        assertFalse(left.values().stream().anyMatch(service -> service.does(web6)));
    }

    @Test
    void whatWasRemovedCanComeBackOtherwise() {
        dataplane.install(program(WEB4, 251, Map.of(ONE, 1)));
        dataplane.install(program(DNS, 251, Map.of(ONE, 1)));
        dataplane.remove(Set.of(WEB4));
        ServiceProgram back = program(WEB6, 251, Map.of(ONE, 1, SIX, 0));
        ObservedService result = dataplane.install(back);
        assertTrue(result.does(back));
        assertEquals(Set.of(DNS, WEB6), dataplane.observe().keySet());
    }

    @Test
    void aServiceMayHaveNoRealAtAll() {
        ServiceProgram nobody = program(WEB4, 251, Map.of());
        ObservedService result = dataplane.install(nobody);
        assertTrue(result.does(nobody));
        assertEquals(Map.of(), result.slots());
    }

    @Test
    void aServiceIsHashedByItsKey() {
        ConnectionIdLayout layout = new ConnectionIdLayout(8, 0, 2);
        ConnectionIdLayout rotated = new ConnectionIdLayout(8, 1, 2);
        ServerId first = ServerId.ofHex("0001");
        ServerId second = ServerId.ofHex("0002");
        for (PacketKey packetKey : List.of(
                PacketKey.FIVE_TUPLE,
                new PacketKey(HashKey.THREE_TUPLE, Optional.empty(), Map.of()),
                quic(layout, Map.of()),
                quic(layout, Map.of(first, ONE)),
                quic(rotated, Map.of(first, ONE)),
                quic(rotated, Map.of(first, TWO, second, ONE)),
                quic(rotated, Map.of(second, TWO)),
                quic(new ConnectionIdLayout(8, 1, 1), Map.of(ServerId.ofHex("00"), TWO)),
                PacketKey.FIVE_TUPLE)) {
            ServiceProgram program = program(DNS, packetKey, 251, Map.of(ONE, 1, TWO, 0));
            ObservedService result = dataplane.install(program);
            assertTrue(result.does(program), packetKey::toString);
            assertEquals(packetKey, result.packetKey());
            assertEquals(Map.of(DNS, result), dataplane.observe());
        }
    }

    @Test
    void serverIdsGoWithTheirService() {
        ConnectionIdLayout layout = new ConnectionIdLayout(20, 6, 15);
        ServerId serverId = ServerId.ofHex("ff".repeat(15));
        dataplane.install(program(DNS, quic(layout, Map.of(serverId, ONE)), 251, Map.of(ONE, 1)));
        ServiceProgram other = program(DNS6, quic(layout, Map.of(serverId, SIX)), 251, Map.of(SIX, 1));
        ObservedService kept = dataplane.install(other);
        dataplane.remove(Set.of(DNS));
        assertEquals(Map.of(DNS6, kept), dataplane.observe());
        ServiceProgram back = program(DNS, quic(layout, Map.of()), 251, Map.of(ONE, 1));
        assertTrue(dataplane.install(back).does(back));
        assertTrue(dataplane.observe().containsValue(kept));
    }

    private static PacketKey quic(ConnectionIdLayout layout, Map<ServerId, InetAddress> servers) {
        return new PacketKey(HashKey.QUIC_CID, Optional.of(layout), servers);
    }

    @Test
    void tellsAllOfWhatIsInstalled() {
        ServiceProgram program = program(WEB4, 251, Map.of(ONE, 1, TWO, 3, SIX, 0));
        dataplane.install(program);
        ServiceProgram installed = dataplane.installed(WEB4).orElseThrow();
        assertEquals(WEB4, installed.key());
        assertEquals(program.packetKey(), installed.packetKey());
        assertEquals(program.active(), installed.active());
        assertEquals(0, program.table().moved(installed.table()));
        dataplane.remove(Set.of(WEB4));
        assertTrue(dataplane.installed(WEB4).isEmpty());
    }

    @Test
    void removingWhatIsNotThereIsNoError() {
        dataplane.remove(Set.of(WEB4));
        assertEquals(Map.of(), dataplane.observe());
    }

    @Test
    void hasCountedNothing() {
        dataplane.install(program(WEB4, 251, Map.of(ONE, 1)));
        Statistics statistics = dataplane.statistics();
        assertEquals(Map.of(), statistics.notForwarded());
        assertEquals(0, statistics.events().getOrDefault(Event.FLOW_ADDED, -1L));
        assertEquals(Set.of(0L), Set.copyOf(statistics.events().values()));
    }

    @Test
    void remembersNoFlow() {
        dataplane.install(program(WEB4, 251, Map.of(ONE, 1)));
        try (FlowTable table = dataplane.flowTable()) {
            assertTrue(table.capacity() >= FlowTable.NO_LIMIT);
            assertEquals(new FlowTable.Reading(0, 0), table.read(flow -> {
                throw new AssertionError(flow.toString());
            }));
            assertEquals(new FlowTable.Fill(0, 0), table.fill());
        }
    }

    /** Or refuses to copy at all. */
    @Test
    protected void copiesNothingUnlessTold() {
        for (int round = 0; round < 2; round++) {
            try (Captures captures = dataplane.captures()) {
                captures.poll(Duration.ZERO, packet -> {
                    throw new AssertionError(packet.toString());
                });
                assertEquals(0, captures.lost());
            }
        }
        dataplane.sample(1000);
        dataplane.sample(0);
    }

    /** By the 5-tuple; weight 0: drained. */
    protected static ServiceProgram program(ServiceKey key, int size, Map<InetAddress, Integer> reals) {
        return program(key, PacketKey.FIVE_TUPLE, size, reals);
    }

    private static ServiceProgram program(
            ServiceKey key, PacketKey packetKey, int size, Map<InetAddress, Integer> reals) {
        List<WeightedReal> weighted = reals.entrySet().stream()
                .map(real -> new WeightedReal(real.getKey().getHostAddress(), real.getValue()))
                .collect(Collectors.toCollection(ArrayList::new));
        LookupTable table = Scheduler.MAGLEV.build(weighted, size, SEED);
        return new ServiceProgram(key, packetKey, Forwarding.IPIP, table, reals.keySet());
    }
}
