// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whole hashes, read in batches from the kernel. */
@Tag("kernel")
class MapReaderTest {
    private static final int ENTRIES = 10_000;

    @AutoClose
    private final BpfObject object =
            BpfObject.open("balancer", BpfProgram.BALANCER.object()).load();

    @BeforeAll
    static void need() {
        Machine.needBpf();
    }

    private static void fill(BpfMap map, int entries) {
        for (int i = 0; i < entries; i++) {
            ByteBuffer key = Balancer.buffer(map.keySize()).putInt(0, i);
            map.update(key, Balancer.buffer(map.valueSize()).putInt(0, -i), UpdateMode.ANY);
        }
    }

    @Test
    void everyEntryIsReadOnce() {
        for (String name : new String[] {"services", "flows"}) {
            Map<Integer, Integer> read = new HashMap<>();
            try (BpfMap map = object.map(name);
                    MapReader reader = MapReader.of(map)) {
                fill(map, ENTRIES);
                reader.read((key, value) -> {
                    assertNull(read.put(key.getInt(), value.getInt()));
                    return true;
                });
            }
            assertEquals(ENTRIES, read.size());
            read.forEach((key, value) -> assertEquals(-key, value));
        }
    }

    @Test
    void anEmptyMapHasNothing() {
        try (BpfMap map = object.map("flows");
                MapReader reader = MapReader.of(map)) {
            reader.read((key, value) -> {
                throw new AssertionError("there is an entry");
            });
            assertEquals(map.maxEntries(), reader.maxEntries());
        }
    }

    @Test
    void theVisitorMayHaveEnough() {
        AtomicInteger visits = new AtomicInteger();
        try (BpfMap map = object.map("services");
                MapReader reader = MapReader.of(map)) {
            fill(map, 100);
            reader.read((key, value) -> visits.incrementAndGet() < 7);
        }
        assertEquals(7, visits.get());
    }

    @Test
    void noDescriptorLeaks() throws IOException {
        try (BpfMap map = object.map("services")) {
            long before = Descriptors.ofBpf();
            MapReader reader = MapReader.of(map);
            assertEquals(before + 1, Descriptors.ofBpf());
            reader.close();
            assertEquals(before, Descriptors.ofBpf());
            assertTrue(assertThrows(IllegalStateException.class, () -> reader.read((key, value) -> true))
                    .toString()
                    .contains("closed"));
        }
    }
}
