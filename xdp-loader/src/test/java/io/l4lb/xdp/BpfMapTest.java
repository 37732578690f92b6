// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.Machine;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Maps and their pins against the kernel. */
@Tag("kernel")
class BpfMapTest {
    private static final int HASH = 1;
    private static final int LRU_HASH = 9;

    @BeforeEach
    void need() {
        Machine.needBpf();
    }

    @Test
    void arrayOfWordsIsWrittenAndReadAtOnce() {
        int[] values = new int[65537];
        Arrays.setAll(values, i -> i * 7);
        try (BpfMap map = BpfMap.createArray("words", 4, values.length, BpfMap.INNER_MAP)) {
            map.writeAll(values);
            assertArrayEquals(values, map.readAll());
            assertEquals(
                    7 * 65536, map.lookup(Balancer.word(65536)).orElseThrow().getInt());
            assertEquals("words", map.name());
        }
    }

    @Test
    void tooManyValuesAreRefused() {
        try (BpfMap map = BpfMap.createArray("words", 4, 3, 0)) {
            assertThrows(IllegalArgumentException.class, () -> map.writeAll(new int[4]));
        }
    }

    @Test
    void hashKnowsModesDeletionAndKeys() {
        try (Balancer balancer = new Balancer()) {
            BpfMap map = balancer.services;
            ByteBuffer key = Balancer.buffer(20).putInt(0, 5);
            ByteBuffer value = Balancer.buffer(16).putInt(0, 42);
            assertEquals(Optional.empty(), map.lookup(key));
            assertTrue(assertThrows(BpfException.class, () -> map.update(key, value, UpdateMode.EXIST))
                    .is(Errno.ENOENT));
            map.update(key, value, UpdateMode.NOEXIST);
            assertTrue(assertThrows(BpfException.class, () -> map.update(key, value, UpdateMode.NOEXIST))
                    .is(Errno.EEXIST));
            assertEquals(42, map.lookup(key).orElseThrow().getInt());
            assertEquals(key, ByteBuffer.wrap(map.keys().get(0)));
            assertEquals(1, map.keys().size());
            assertTrue(map.delete(key));
            assertFalse(map.delete(key));
        }
    }

    @Test
    void aFullMapIsNamedWithItsSize() {
        try (BpfMap map = BpfMap.create("few", new MapLayout(HASH, 4, 4, 2, 0))) {
            map.update(Balancer.word(1), Balancer.word(1), UpdateMode.ANY);
            map.update(Balancer.word(2), Balancer.word(2), UpdateMode.ANY);
            BpfException e = assertThrows(
                    BpfException.class, () -> map.update(Balancer.word(3), Balancer.word(3), UpdateMode.ANY));
            assertEquals("update map few: E2BIG: the map has room for 2 entries", e.getMessage());
        }
    }

    @Test
    void manyEntriesAreWrittenAsFarAsThereIsRoom() {
        List<Entry<ByteBuffer, ByteBuffer>> entries = Stream.iterate(0, i -> i + 1)
                .limit(1000)
                .map(i -> Map.entry(Balancer.word(i), Balancer.word(7 * i)))
                .toList();
        try (BpfMap roomy = BpfMap.create("roomy", new MapLayout(HASH, 4, 4, 1000, 0));
                BpfMap tight = BpfMap.create("tight", new MapLayout(HASH, 4, 4, 600, 0));
                BpfMap lru = BpfMap.create("lru", new MapLayout(LRU_HASH, 4, 4, 600, 0))) {
            assertEquals(1000, roomy.updateAll(entries));
            assertEquals(7 * 999, roomy.lookup(Balancer.word(999)).orElseThrow().getInt());
            assertEquals(600, tight.updateAll(entries));
            assertEquals(1000, lru.updateAll(entries));
            assertEquals(0, roomy.updateAll(List.of()));
        }
    }

    @Test
    void wrongSizeOfKeyIsRefused() {
        try (BpfMap map = BpfMap.createArray("words", 4, 3, 0)) {
            ByteBuffer key = Balancer.buffer(8);
            assertThrows(IllegalArgumentException.class, () -> map.lookup(key));
        }
    }

    @Test
    void innerMapsAreFoundAgain() {
        try (Balancer balancer = new Balancer()) {
            balancer.table(3, 5, 6, 7);
            try (BpfMap inner = balancer.tables.inner(3).orElseThrow()) {
                assertArrayEquals(new int[] {5, 6, 7}, inner.readAll());
            }
            assertTrue(balancer.tables.inner(4).isEmpty());
            assertTrue(balancer.tables.delete(Balancer.word(3)));
            assertTrue(balancer.tables.inner(3).isEmpty());
        }
    }

    @Test
    void pinKeepsTheMap() throws IOException {
        try (TemporaryBpfFs pins = new TemporaryBpfFs()) {
            Path pin = pins.path("words");
            assertTrue(BpfMap.openPinned(pin).isEmpty());
            int id;
            try (BpfMap map = BpfMap.createArray("words", 4, 3, 0)) {
                map.writeAll(new int[] {1, 2, 3});
                map.pin(pin);
                id = map.id();
                assertTrue(assertThrows(BpfException.class, () -> map.pin(pin)).is(Errno.EEXIST));
            }
            try (BpfMap again = BpfMap.openPinned(pin).orElseThrow()) {
                assertEquals(id, again.id());
                assertArrayEquals(new int[] {1, 2, 3}, again.readAll());
            }
            assertThrows(BpfException.class, () -> Link.openPinned(pin));
            assertTrue(BpfMap.unpin(pin));
            assertFalse(BpfMap.unpin(pin));
        }
    }

    @Test
    void pinOutsideBpffsSaysSo(@TempDir Path directory) {
        try (BpfMap map = BpfMap.createArray("words", 4, 3, 0)) {
            BpfUnsupportedException e =
                    assertThrows(BpfUnsupportedException.class, () -> map.pin(directory.resolve("words")));
            assertTrue(e.toString().contains("no bpffs is mounted"), e.toString());
            assertThrows(IllegalArgumentException.class, () -> map.pin(directory.resolve("a.b")));
        }
    }

    @Test
    void missingPermissionNamesTheCapability() throws Exception {
        String message = ThreadContext.withoutCapabilities(
                () -> assertThrows(BpfUnsupportedException.class, () -> BpfMap.createArray("words", 4, 3, 0))
                        .toString());
        assertTrue(message.contains("EPERM") && message.contains("CAP_BPF"), message);
    }

    @Test
    void loadWithoutPermissionIsUnsupported() throws Exception {
        ThreadContext.withoutCapabilities(() -> {
            try (BpfObject object = BpfObject.open("pass", BpfProgram.PASS.object())) {
                return assertThrows(BpfUnsupportedException.class, object::load);
            }
        });
    }

    @Test
    void closedHandleIsNotUsed() {
        BpfMap map = BpfMap.createArray("words", 4, 3, 0);
        map.close();
        map.close();
        assertThrows(IllegalStateException.class, map::readAll);
    }

    @Test
    void noDescriptorLeaks() throws IOException {
        try (TemporaryBpfFs pins = new TemporaryBpfFs()) {
            long before = Descriptors.ofBpf();
            try (Balancer balancer = new Balancer()) {
                balancer.table(0, 1, 2, 3);
                balancer.tables.inner(0).orElseThrow().close();
                balancer.program.pin(pins.path("program"));
                ProgramHandle.openPinned(pins.path("program")).orElseThrow().close();
                assertThrows(BpfException.class, () -> BpfMap.openPinned(pins.path("program")));
            }
            Files.delete(pins.path("program"));
            assertEquals(before, Descriptors.ofBpf());
        }
    }
}
