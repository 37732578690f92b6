// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/** bpf_object, and the bpf_map and bpf_program within it, before and while it is loaded. */
public final class ObjectCalls {
    /* struct bpf_object_open_opts { size_t sz; const char *object_name; ... } */
    private static final int OPEN_SIZE = 16;
    private static final int OPEN_NAME = 8;

    private ObjectCalls() {}

    /** Reads the ELF object; nothing reaches the kernel yet. */
    public static long open(String name, byte[] elf) {
        LibbpfLog.begin();
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        /* The name lies behind the structure that points to it, in one piece of memory. */
        Pointer options = Memory.allocateDirect(Runtime.getSystemRuntime(), OPEN_SIZE + bytes.length + 1, true);
        options.put(OPEN_SIZE, bytes, 0, bytes.length);
        options.putLong(0, OPEN_SIZE);
        options.putAddress(OPEN_NAME, options.address() + OPEN_SIZE);
        long object = Native.libbpf().bpf_object__open_mem(elf, elf.length, options);
        int errno = Native.errno();
        if (object == 0) {
            throw BpfException.of("open object " + name, errno, LibbpfLog.take());
        }
        return object;
    }

    /** Creates or reuses the maps, and loads the programs. */
    public static void load(String name, long object) {
        LibbpfLog.begin();
        int result = Native.libbpf().bpf_object__load(object);
        if (result < 0) {
            throw BpfException.of("load object " + name, result, LibbpfLog.take());
        }
    }

    public static void close(long object) {
        Native.libbpf().bpf_object__close(object);
    }

    public static OptionalLong findMap(long object, String name) {
        long map = Native.libbpf().bpf_object__find_map_by_name(object, name);
        return map == 0 ? OptionalLong.empty() : OptionalLong.of(map);
    }

    public static OptionalLong findProgram(long object, String name) {
        long program = Native.libbpf().bpf_object__find_program_by_name(object, name);
        return program == 0 ? OptionalLong.empty() : OptionalLong.of(program);
    }

    /** The object's own descriptor, which lives as long as the object. */
    public static int mapDescriptor(String name, long map) {
        int descriptor = Native.libbpf().bpf_map__fd(map);
        if (descriptor < 0) {
            throw BpfException.of("get map " + name, descriptor, "not loaded");
        }
        return descriptor;
    }

    /** The object's own descriptor, which lives as long as the object. */
    public static int programDescriptor(String name, long program) {
        int descriptor = Native.libbpf().bpf_program__fd(program);
        if (descriptor < 0) {
            throw BpfException.of("get program " + name, descriptor, "not loaded");
        }
        return descriptor;
    }

    /** Type, key size, value size, maximum of entries, flags: as the object wants it. */
    public static int[] mapLayout(long map) {
        LibBpf libbpf = Native.libbpf();
        return new int[] {
            libbpf.bpf_map__type(map),
            libbpf.bpf_map__key_size(map),
            libbpf.bpf_map__value_size(map),
            libbpf.bpf_map__max_entries(map),
            libbpf.bpf_map__map_flags(map)
        };
    }

    public static void setMaxEntries(String name, long map, int entries) {
        int result = Native.libbpf().bpf_map__set_max_entries(map, entries);
        if (result < 0) {
            throw BpfException.of("set entries of map " + name + " to " + entries, result, "");
        }
    }

    /** Takes a map that exists for the object's; the descriptor stays the caller's. */
    public static void reuse(String name, long map, int descriptor) {
        int result = Native.libbpf().bpf_map__reuse_fd(map, descriptor);
        if (result < 0) {
            throw BpfException.of("reuse a map for " + name, result, "");
        }
    }

    public static void setFlags(String name, long map, int flags) {
        int result = Native.libbpf().bpf_map__set_map_flags(map, flags);
        if (result < 0) {
            throw BpfException.of("set flags of map " + name + " to 0x" + Integer.toHexString(flags), result, "");
        }
    }

    /** What a section of the object holds; empty if it is no section of data. */
    public static byte[] initialValue(long map) {
        long[] size = new long[1];
        Pointer value = Native.libbpf().bpf_map__initial_value(map, size);
        byte[] bytes = new byte[value == null ? 0 : Math.toIntExact(size[0])];
        if (value != null) {
            value.get(0, bytes, 0, bytes.length);
        }
        return bytes;
    }

    /** Of a section of data, before the object is loaded; as long as the section. */
    public static void setInitialValue(String name, long map, byte[] value) {
        int result = Native.libbpf().bpf_map__set_initial_value(map, value, value.length);
        if (result < 0) {
            throw BpfException.of("set section " + name + " to " + value.length + " bytes", result, "");
        }
    }

    public static void setPinPath(String name, long map, String path) {
        int result = Native.libbpf().bpf_map__set_pin_path(map, path);
        if (result < 0) {
            throw BpfException.of("set pin of map " + name + " to " + path, result, "");
        }
    }
}
