// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.test.Address;
import io.l4lb.test.Machine;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A service for which there is no room is refused naming the map and its size; those that are there go on. */
@Tag("kernel")
final class FullMapsTest {
    private final List<BpfMap> open = new ArrayList<>();

    @BeforeEach
    void need() {
        Machine.needBpf();
    }

    @AfterEach
    void close() {
        open.forEach(BpfMap::close);
    }

    private BpfMap take(BpfObject object, String map) {
        BpfMap taken = object.map(map);
        open.add(taken);
        return taken;
    }

    /** The balancer's maps, one of them small. */
    private ServiceMaps withSmall(String map, int entries) {
        try (BpfObject object = BpfObject.open("balancer", BpfProgram.BALANCER.object())) {
            object.maxEntries("flows", 1024).maxEntries(map, entries).load();
            return new ServiceMaps(
                    new ServiceEntries(take(object, "services"), take(object, "service_generation")),
                    new ServiceMaps.Maps(take(object, "tables"), take(object, "reals"), take(object, "real_counters")),
                    new Vips(take(object, "vips"), take(object, "vip_filter")),
                    new ServerIds(take(object, "server_ids")),
                    new Flows(take(object, "flows"), take(object, "fragments")));
        }
    }

    private static ServiceProgram program(int vip, String... reals) {
        ServiceKey key = new ServiceKey(ip("192.0.2." + vip), Protocol.TCP, 80);
        Set<InetAddress> active = Stream.of(reals).map(Address::ip).collect(Collectors.toSet());
        List<WeightedReal> weighted = Stream.of(reals)
                .map(real -> new WeightedReal(real, 1))
                .collect(Collectors.toCollection(ArrayList::new));
        LookupTable table = Scheduler.MAGLEV.build(weighted, 101, Samples.SEED);
        return new ServiceProgram(key, PacketKey.FIVE_TUPLE, Forwarding.IPIP, table, active);
    }

    /** Two services fit; a third does not, whose refusal leaves the two as they were, and they can still change. */
    private void assertThirdIsRefused(ServiceMaps maps, String why) {
        ServiceProgram first = program(1, "10.3.0.1");
        ServiceProgram second = program(2, "10.3.0.2");
        ServiceProgram third = program(3, "10.3.0.3");
        maps.install(first);
        maps.install(second);
        for (int i = 0; i < 2; i++) {
            String said = String.valueOf(assertThrows(RuntimeException.class, () -> maps.install(third))
                    .getMessage());
            assertTrue(said.contains(why), said);
            assertEquals(Set.of(first.key(), second.key()), maps.observe().keySet());
            assertTrue(Objects.requireNonNull(maps.observe().get(first.key())).does(first));
            assertTrue(Objects.requireNonNull(maps.observe().get(second.key())).does(second));
        }
        ServiceProgram changed = program(1);
        assertTrue(maps.install(changed).does(changed));
        maps.remove(Set.of(second.key()));
        assertEquals(Set.of(first.key()), maps.observe().keySet());
    }

    @Test
    void services() {
        assertThirdIsRefused(
                withSmall("services", 2), "update map services: E2BIG: it is full, with room for 2 entries");
    }

    @Test
    void vips() {
        assertThirdIsRefused(withSmall("vips", 2), "update map vips: E2BIG: it is full, with room for 2 entries");
    }

    @Test
    void tables() {
        assertThirdIsRefused(withSmall("tables", 2), "the map of lookup tables is full: 2 of them");
    }

    @Test
    void reals() {
        assertThirdIsRefused(
                withSmall("reals", 2), "the map of reals is full: all 2 numbers belong to reals or are named by flows");
    }

    @Test
    void roomThatWasGivenBackIsUsed() {
        ServiceMaps maps = withSmall("services", 2);
        maps.install(program(1, "10.3.0.1"));
        maps.install(program(2, "10.3.0.2"));
        ServiceProgram third = program(3, "10.3.0.3");
        assertThrows(RuntimeException.class, () -> maps.install(third));
        maps.remove(Set.of(program(1).key()));
        assertTrue(maps.install(third).does(third));
    }
}
