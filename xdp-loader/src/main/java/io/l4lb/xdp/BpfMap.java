// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import io.l4lb.xdp.internal.jnr.Host;
import io.l4lb.xdp.internal.jnr.MapCalls;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map.Entry;
import java.util.Optional;

/**
 * A handle on a BPF map. Keys and values are the remaining bytes of buffers, which keep their positions; buffers
 * that are returned are fresh and have the host's byte order.
 */
public final class BpfMap implements AutoCloseable {
    /** Flag of an array that goes into a map of maps together with arrays of other sizes (Linux 5.10). */
    public static final int INNER_MAP = 0x1000;

    /* struct bpf_map_info { __u32 type, id, key_size, value_size, max_entries, map_flags; char name[16]; ... } */
    private static final int INFO_SIZE = 40;
    private static final int INFO_ID = 4;
    private static final int INFO_NAME = 24;
    private static final int NAME_LENGTH = 16;

    private final Descriptor descriptor;
    private final MapLayout layout;
    private final int id;
    private final String name;

    BpfMap(Descriptor descriptor) {
        this.descriptor = descriptor;
        try {
            ByteBuffer info = Descriptors.info("read the map's info", descriptor.number(), INFO_SIZE);
            this.layout =
                    new MapLayout(info.getInt(0), info.getInt(8), info.getInt(12), info.getInt(16), info.getInt(20));
            this.id = info.getInt(INFO_ID);
            this.name = Descriptors.text(info, INFO_NAME, NAME_LENGTH);
        } catch (RuntimeException e) {
            descriptor.close();
            throw e;
        }
    }

    /** A new array, that nothing names yet but this handle. */
    public static BpfMap createArray(String name, int valueSize, int entries, int flags) {
        return create(name, new MapLayout(MapLayout.ARRAY, Integer.BYTES, valueSize, entries, flags));
    }

    /** A new map, that nothing names yet but this handle. Not one of maps, or of programs. */
    public static BpfMap create(String name, MapLayout layout) {
        return new BpfMap(new Descriptor(MapCalls.create(name, layout.fields())));
    }

    /** The map that is pinned there; empty if nothing is. */
    public static Optional<BpfMap> openPinned(Path path) {
        return Pins.open(path, "map").map(BpfMap::new);
    }

    public MapLayout layout() {
        return layout;
    }

    public int type() {
        return layout.type();
    }

    public int keySize() {
        return layout.keySize();
    }

    public int valueSize() {
        return layout.valueSize();
    }

    public int maxEntries() {
        return layout.maxEntries();
    }

    /** The kernel's id, unique while the map exists. */
    public int id() {
        return id;
    }

    /** The kernel's name of it: at most 15 characters. */
    public String name() {
        return name;
    }

    /** The value of a key; of a map of maps, the inner map's id. */
    public Optional<ByteBuffer> lookup(ByteBuffer key) {
        checkOneValue();
        return MapCalls.lookup(name, descriptor.number(), bytes(key, keySize()), valueSize())
                .map(value -> ByteBuffer.wrap(value).order(ByteOrder.nativeOrder()));
    }

    /** The values of a key, one for each possible CPU; an empty list if there is no such key. */
    public List<ByteBuffer> lookupPerCpu(ByteBuffer key) {
        if (!layout.isPerCpu()) {
            throw new IllegalStateException("map " + name + " has one value for all CPUs");
        }
        int stride = (valueSize() + 7) & ~7;
        int cpus = Host.possibleCpus();
        Optional<byte[]> all = MapCalls.lookup(name, descriptor.number(), bytes(key, keySize()), stride * cpus);
        List<ByteBuffer> values = new ArrayList<>();
        for (int cpu = 0; all.isPresent() && cpu < cpus; cpu++) {
            values.add(ByteBuffer.wrap(all.get(), cpu * stride, valueSize())
                    .slice()
                    .order(ByteOrder.nativeOrder()));
        }
        return values;
    }

    /** Writes one entry. Readers see the old value or the new one only if the map's type promises so (hashes do). */
    public void update(ByteBuffer key, ByteBuffer value, UpdateMode mode) {
        checkOneValue();
        try {
            MapCalls.update(name, descriptor.number(), bytes(key, keySize()), bytes(value, valueSize()), mode.flags());
        } catch (BpfException e) {
            if (e.is(Errno.E2BIG)) {
                throw new BpfException(e.operation(), e.errno(), "the map has room for " + maxEntries() + " entries");
            }
            throw e;
        }
    }

    private void checkOneValue() {
        if (layout.isPerCpu()) {
            throw new IllegalStateException("map " + name + " has a value for each CPU");
        }
    }

    Descriptor descriptor() {
        return descriptor;
    }

    /** Removes an entry; of a map of maps, takes the inner map out. Whether it was there. */
    public boolean delete(ByteBuffer key) {
        return MapCalls.delete(name, descriptor.number(), bytes(key, keySize()));
    }

    /**
     * All keys, one call each. Entries that come and go meanwhile may be missed or, in a hash, make the walk
     * start over; it ends after {@link #maxEntries} keys in any case.
     */
    public List<byte[]> keys() {
        List<byte[]> keys = new ArrayList<>();
        Optional<byte[]> key = MapCalls.nextKey(name, descriptor.number(), Optional.empty(), keySize());
        while (key.isPresent() && keys.size() < maxEntries()) {
            keys.add(key.get());
            key = MapCalls.nextKey(name, descriptor.number(), key, keySize());
        }
        return keys;
    }

    /**
     * Writes entries, all in one call where the kernel can (5.6).
     *
     * @return how many were written before one found no room; all of them, if all did
     */
    public int updateAll(List<Entry<ByteBuffer, ByteBuffer>> entries) {
        checkOneValue();
        return MapBatch.update(this, entries);
    }

    /** The program at that index of this array of programs; empty if there is none. */
    public Optional<ProgramHandle> program(int index) {
        return lookup(word(index)).flatMap(value -> ProgramHandle.byId(value.getInt()));
    }

    /** Writes an array of 32-bit values from index 0 on, in one batch where the kernel can (5.6). */
    public void writeAll(int[] values) {
        WordArray.write(this, values);
    }

    /** Reads an array of 32-bit values, in one batch where the kernel can (5.6). */
    public int[] readAll() {
        return WordArray.read(this);
    }

    /** Puts a map into this map of maps, at once; programs see the one before or this one. */
    public void updateFd(int index, BpfMap inner) {
        update(word(index), word(inner.descriptor.number()), UpdateMode.ANY);
    }

    /** Puts a program into this array of programs: tail calls to that index go to it from now on. */
    public void updateFd(int index, ProgramHandle program) {
        update(word(index), word(program.number()), UpdateMode.ANY);
    }

    /** The map at that index of this map of maps; empty if there is none. */
    public Optional<BpfMap> inner(int index) {
        return lookup(word(index)).map(value -> new BpfMap(new Descriptor(MapCalls.openById(value.getInt()))));
    }

    /** Gives the map a name in a bpffs, which keeps it alive. The name must be free. */
    public void pin(Path path) {
        Pins.pin(descriptor, path);
    }

    /** Removes a name; whether there was one. */
    public static boolean unpin(Path path) {
        return Pins.remove(path);
    }

    @Override
    public void close() {
        descriptor.close();
    }

    static ByteBuffer word(int value) {
        return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(0, value);
    }

    byte[] bytes(ByteBuffer buffer, int size) {
        if (buffer.remaining() != size) {
            throw new IllegalArgumentException(
                    "map " + name + " takes " + size + " bytes there, not " + buffer.remaining());
        }
        byte[] bytes = new byte[size];
        buffer.duplicate().get(bytes);
        return bytes;
    }
}
