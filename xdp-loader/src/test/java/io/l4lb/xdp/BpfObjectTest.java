// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Machine;
import io.l4lb.test.TemporaryBpfFs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Objects: open, adopt what is pinned, load, and what is said when that fails. */
@Tag("kernel")
class BpfObjectTest {
    private static final String CONSTANTS = ".rodata.constants";
    private static final List<String> MAPS =
            List.of("services", "tables", "reals", "flows", "settings", "real_counters", "verdicts");

    @BeforeEach
    void need() {
        Machine.needBpf();
    }

    private static BpfObject pinned(TemporaryBpfFs pins, int flows) {
        BpfObject object =
                BpfObject.open("balancer", BpfProgram.BALANCER.object()).maxEntries("flows", flows);
        MAPS.forEach(map -> object.pinPath(map, pins.path(map)));
        return object;
    }

    private static List<Integer> ids(BpfObject object) {
        return MAPS.stream()
                .map(name -> {
                    try (BpfMap map = object.map(name)) {
                        return map.id();
                    }
                })
                .toList();
    }

    @Test
    void secondLoadAdoptsTheMapsOfTheFirst() throws IOException {
        try (TemporaryBpfFs pins = new TemporaryBpfFs()) {
            List<Integer> first;
            try (BpfObject object = pinned(pins, 1024).load()) {
                first = ids(object);
                try (BpfMap tables = object.map("tables");
                        BpfMap inner = BpfMap.createArray("slots", 4, 3, BpfMap.INNER_MAP)) {
                    inner.writeAll(new int[] {7, 8, 9});
                    tables.updateFd(2, inner);
                }
            }
            try (BpfObject object = pinned(pins, 1024).load()) {
                assertEquals(first, ids(object));
                try (BpfMap tables = object.map("tables");
                        BpfMap inner = tables.inner(2).orElseThrow()) {
                    assertArrayEquals(new int[] {7, 8, 9}, inner.readAll());
                }
            }
        }
    }

    @Test
    void otherLayoutIsRefusedNamingBoth() throws IOException {
        try (TemporaryBpfFs pins = new TemporaryBpfFs()) {
            pinned(pins, 1024).load().close();
            try (BpfObject object = pinned(pins, 2048)) {
                String message = assertThrows(BpfException.class, object::load).toString();
                assertTrue(message.contains("flows"), message);
                assertTrue(message.contains("1024 entries") && message.contains("2048 entries"), message);
            }
        }
    }

    @Test
    void aMapThatExistsIsUsedIfItFits() {
        try (BpfObject first = BpfObject.open("balancer", BpfProgram.BALANCER.object())
                        .maxEntries("flows", 1024)
                        .load();
                BpfMap flows = first.map("flows");
                BpfMap tables = first.map("tables");
                BpfObject second = BpfObject.open("balancer", BpfProgram.BALANCER.object())) {
            String message = assertThrows(BpfException.class, () -> second.reuse("flows", flows))
                    .toString();
            assertTrue(message.contains("1024 entries") && message.contains("1048576 entries"), message);
            second.maxEntries("flows", 1024).reuse("flows", flows).reuse("tables", tables);
            second.load();
            try (BpfMap same = second.map("flows");
                    BpfMap other = second.map("reals")) {
                assertEquals(flows.id(), same.id());
                try (BpfMap reals = first.map("reals")) {
                    assertNotEquals(reals.id(), other.id());
                }
            }
        }
    }

    @Test
    void rejectedProgramComesWithTheVerifiersLog() throws IOException {
        try (TemporaryBpfFs pins = new TemporaryBpfFs()) {
            try (BpfObject object = BpfObject.open("balancer", broken())) {
                object.pinPath("services", pins.path("services"));
                BpfException e = assertThrows(BpfException.class, object::load);
                assertEquals("load object balancer", e.operation());
                assertTrue(e.toString().contains("END PROG LOAD LOG"), e.toString());
                assertTrue(e.toString().contains("w0 = w11"), e.toString());
            }
            assertFalse(Files.exists(pins.path("services")));
        }
    }

    @Test
    void constantsAreSetBeforeLoading() {
        try (BpfObject object = BpfObject.open("balancer", BpfProgram.BALANCER.object())) {
            byte[] value = object.constants(CONSTANTS);
            assertEquals(1, value[0], "echo replies are on by default");
            value[0] = 0;
            value[value.length - 1] = 7;
            object.constants(CONSTANTS, value).load();
            try (BpfMap map = object.map(CONSTANTS)) {
                byte[] loaded = new byte[value.length];
                map.lookup(Balancer.word(0)).orElseThrow().get(loaded);
                assertArrayEquals(value, loaded);
            }
        }
    }

    @Test
    void constantsOfAnotherSizeOrSectionAreRefused() {
        try (BpfObject object = BpfObject.open("balancer", BpfProgram.BALANCER.object())) {
            assertThrows(IllegalArgumentException.class, () -> object.constants(CONSTANTS, new byte[3]));
            assertThrows(IllegalArgumentException.class, () -> object.constants(".rodata.other", new byte[3]));
        }
    }

    @Test
    void flagsAreSetBeforeLoading() {
        try (BpfObject object =
                BpfObject.open("balancer", BpfProgram.BALANCER.object()).mapFlags("flows", 0)) {
            object.load();
            try (BpfMap flows = object.map("flows")) {
                assertEquals(0, flows.layout().flags());
            }
        }
    }

    /** The balancer with every {@code mov32 r0, constant} turned into a move from a register that does not exist. */
    private static byte[] broken() {
        ByteBuffer elf = ByteBuffer.wrap(BpfProgram.BALANCER.object()).order(ByteOrder.nativeOrder());
        int patched = 0;
        /* ELF64: where the section headers are, how long each is, and how many; of each: flags, offset, size. */
        for (int i = 0; i < elf.getShort(0x3c); i++) {
            int header = (int) elf.getLong(0x28) + i * elf.getShort(0x3a);
            boolean executable = (elf.getLong(header + 8) & 4) != 0;
            long start = elf.getLong(header + 24);
            long end = executable ? start + elf.getLong(header + 32) : start;
            for (int at = (int) start; at + 8 <= end; at += 8) {
                if ((elf.get(at) & 0xff) == 0xb4 && elf.get(at + 1) == 0) {
                    elf.put(at, (byte) 0xbc).put(at + 1, (byte) 0xb0); // from r11
                    patched++;
                }
            }
        }
        assertTrue(patched > 0);
        return elf.array();
    }

    @Test
    void garbageIsNoObject() {
        BpfException e = assertThrows(BpfException.class, () -> BpfObject.open("garbage", new byte[100]));
        assertTrue(e.toString().contains("garbage"), e.toString());
    }

    @Test
    void unknownNamesAreRefused() {
        try (BpfObject object = BpfObject.open("pass", BpfProgram.PASS.object())) {
            assertThrows(IllegalArgumentException.class, () -> object.map("nothing"));
            assertThrows(BpfException.class, () -> object.program("pass"), "not loaded");
        }
    }

    @Test
    void layoutsAreReadFromBtf() {
        try (BtfLayout layout = BtfLayout.of(BpfProgram.BALANCER.object())) {
            BtfLayout.Struct key = layout.struct("fragment_key");
            assertEquals(40, key.size());
            assertEquals(
                    List.of("source", "vip", "id", "protocol", "pad"),
                    List.copyOf(key.members().keySet()));
            assertEquals(36, key.offset("protocol"));
            assertEquals(new BtfLayout.Member(37, 3), key.members().get("pad"));
            assertEquals(48, layout.struct("settings").offset("mtu"));
            assertThrows(IllegalArgumentException.class, () -> layout.struct("nothing"));
        }
    }
}
