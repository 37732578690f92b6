// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Descriptors;
import io.l4lb.xdp.internal.jnr.Host;
import io.l4lb.xdp.internal.jnr.ObjectCalls;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A BPF object file: opened, adjusted, then loaded into the kernel once. Its maps and programs are handed out as
 * handles that are independent of it, so it can be closed as soon as they are taken.
 *
 * <p>One thread at a time.
 */
public final class BpfObject implements AutoCloseable {
    private final String name;
    private final long object;
    private final Map<String, Path> pins = new LinkedHashMap<>();
    private boolean loaded;
    private boolean closed;

    private BpfObject(String name, long object) {
        this.name = name;
        this.object = object;
    }

    /**
     * Reads an ELF object; needs no privilege.
     *
     * @param name for messages
     * @throws BpfException if libbpf does not take it, with what libbpf said
     */
    public static BpfObject open(String name, byte[] elf) {
        return new BpfObject(name, ObjectCalls.open(name, elf));
    }

    /** Before {@link #load}: the map is pinned there, and if a map is pinned there already, that one is used. */
    public BpfObject pinPath(String map, Path path) {
        checkOpen();
        Pins.check(path);
        ObjectCalls.setPinPath(map, findMap(map), path.toString());
        pins.put(map, path);
        return this;
    }

    /**
     * Before {@link #load}: takes a map that exists for the object's. The handle stays the caller's.
     *
     * @throws BpfException naming both layouts if the map does not fit
     */
    public BpfObject reuse(String map, BpfMap existing) {
        checkFits("reuse map " + existing.id() + " for " + map, map, existing.layout());
        ObjectCalls.reuse(map, findMap(map), existing.descriptor().number());
        return this;
    }

    /** Before {@link #load}: another capacity than the object's. */
    public BpfObject maxEntries(String map, int entries) {
        checkOpen();
        ObjectCalls.setMaxEntries(map, findMap(map), entries);
        return this;
    }

    /** Before {@link #load}: other flags (BPF_F_*) than the object's. */
    public BpfObject mapFlags(String map, int flags) {
        checkOpen();
        ObjectCalls.setFlags(map, findMap(map), flags);
        return this;
    }

    /**
     * Before {@link #load}: what a section of data holds, for instance {@code .rodata.constants}. Of a read-only one the
     * verifier knows the values, and removes code that they switch off.
     *
     * @param value all of the section, in the host's byte order
     * @throws IllegalArgumentException if the section is not there, or has another size
     */
    public BpfObject constants(String section, byte[] value) {
        int size = constants(section).length;
        if (size != value.length) {
            throw new IllegalArgumentException(
                    "section " + section + " of object " + name + " has " + size + " bytes, not " + value.length);
        }
        ObjectCalls.setInitialValue(section, findMap(section), value);
        return this;
    }

    /** What a section of data holds, or will hold once loaded. */
    public byte[] constants(String section) {
        checkOpen();
        return ObjectCalls.initialValue(findMap(section));
    }

    /** Layout that the map gets if it is made for the object. */
    public MapLayout layout(String map) {
        checkOpen();
        return MapLayout.of(ObjectCalls.mapLayout(findMap(map))).asCreated(Host.possibleCpus());
    }

    /**
     * Loads maps and programs. Either all of it is done, new pins included, or nothing.
     *
     * @throws BpfException with the verifier's log, or naming the map and both layouts if a pinned map does
     *     not fit the object's
     * @throws BpfUnsupportedException if this process or kernel cannot load BPF
     */
    public BpfObject load() {
        checkOpen();
        if (loaded) {
            throw new IllegalStateException("object " + name + " is loaded already");
        }
        pins.forEach(this::checkAdoption);
        ObjectCalls.load(name, object);
        loaded = true;
        return this;
    }

    private void checkAdoption(String map, Path path) {
        Optional<BpfMap> pinned = BpfMap.openPinned(path);
        if (pinned.isEmpty()) {
            return;
        }
        try (BpfMap open = pinned.get()) {
            checkFits("adopt map " + map + " pinned at " + path, map, open.layout());
        }
    }

    private void checkFits(String operation, String map, MapLayout found) {
        MapLayout wanted = layout(map);
        if (!found.equals(wanted)) {
            throw new BpfException(
                    operation, Errno.EINVAL.name(), "it has " + found + "; object " + name + " wants " + wanted);
        }
    }

    /** After {@link #load}: a new handle on a map. */
    public BpfMap map(String map) {
        checkOpen();
        int own = ObjectCalls.mapDescriptor(map, findMap(map));
        return new BpfMap(new Descriptor(Descriptors.duplicate(own)));
    }

    /** After {@link #load}: a new handle on a program. */
    public ProgramHandle program(String program) {
        checkOpen();
        long found = ObjectCalls.findProgram(object, program)
                .orElseThrow(() -> new IllegalArgumentException("object " + name + " has no program " + program));
        int own = ObjectCalls.programDescriptor(program, found);
        return new ProgramHandle(new Descriptor(Descriptors.duplicate(own)));
    }

    private long findMap(String map) {
        return ObjectCalls.findMap(object, map)
                .orElseThrow(() -> new IllegalArgumentException("object " + name + " has no map " + map));
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("object " + name + " is closed");
        }
    }

    long pointer() {
        checkOpen();
        return object;
    }

    /** Closes the object's own descriptors. What is pinned, attached or held by a handle lives on. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            ObjectCalls.close(object);
        }
    }
}
