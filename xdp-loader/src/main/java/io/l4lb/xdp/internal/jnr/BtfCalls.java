// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.Errno;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import jnr.ffi.Pointer;

/** BTF, the type information of an object (Documentation/bpf/btf.rst). */
public final class BtfCalls {
    private static final int KIND_STRUCT = 4;
    /* struct btf_type { __u32 name_off, info; __u32 size; }, then the members */
    private static final int TYPE_INFO = 4;
    private static final int TYPE_SIZE = 8;
    private static final int TYPE_LENGTH = 12;
    /* struct btf_member { __u32 name_off, type, offset; } */
    private static final int MEMBER_TYPE = 4;
    private static final int MEMBER_OFFSET = 8;
    private static final int MEMBER_LENGTH = 12;
    /* In structs with bit fields the upper byte holds the field's width. */
    private static final int OFFSET_MASK = 0xffffff;

    private BtfCalls() {}

    /** Size, and offset and size of every member in the order of declaration; all in bytes. */
    public record Structure(int size, Map<String, int[]> members) {}

    /** Empty if the object's BTF has no such struct. */
    public static Optional<Structure> structure(long object, String name) {
        LibBpf libbpf = Native.libbpf();
        long btf = libbpf.bpf_object__btf(object);
        if (btf == 0) {
            throw BpfException.of("read BTF", Errno.ENOENT.number(), "the object has none: compile with -g");
        }
        int id = libbpf.btf__find_by_name_kind(btf, name, KIND_STRUCT);
        if (id < 0) {
            return Optional.empty();
        }
        Pointer type = libbpf.btf__type_by_id(btf, id);
        int members = type.getInt(TYPE_INFO) & 0xffff;
        Map<String, int[]> found = new LinkedHashMap<>();
        for (int i = 0; i < members; i++) {
            Pointer member = type.slice(TYPE_LENGTH + (long) i * MEMBER_LENGTH);
            int offset = (member.getInt(MEMBER_OFFSET) & OFFSET_MASK) / Byte.SIZE;
            int size = (int) libbpf.btf__resolve_size(btf, member.getInt(MEMBER_TYPE));
            found.put(libbpf.btf__name_by_offset(btf, member.getInt(0)), new int[] {offset, size});
        }
        return Optional.of(new Structure(type.getInt(TYPE_SIZE), found));
    }
}
