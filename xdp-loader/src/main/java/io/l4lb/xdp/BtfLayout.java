// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.BtfCalls;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the compiler put the members of an object's structs: for tests that hold the layouts written down in Java
 * against the ones in C. Only structs that a map's key or value refers to are in an object's BTF for sure.
 */
public final class BtfLayout implements AutoCloseable {
    private final BpfObject object;

    private BtfLayout(BpfObject object) {
        this.object = object;
    }

    /**
     * One member.
     *
     * @param offset from the start of the struct, in bytes
     * @param size in bytes
     */
    public record Member(int offset, int size) {}

    /**
     * One struct.
     *
     * @param size in bytes
     * @param members by name, in the order of declaration
     */
    public record Struct(int size, Map<String, Member> members) {
        public Struct {
            members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
        }

        /** Offset of a member in bytes. */
        public int offset(String member) {
            Member found = members.get(member);
            if (found == null) {
                throw new IllegalArgumentException("no member " + member);
            }
            return found.offset();
        }
    }

    /** Of an ELF object with BTF; needs no privilege. */
    public static BtfLayout of(byte[] elf) {
        return new BtfLayout(BpfObject.open("layout", elf));
    }

    /** The struct of that name, without the word {@code struct}. */
    public Struct struct(String name) {
        BtfCalls.Structure structure = BtfCalls.structure(object.pointer(), name)
                .orElseThrow(() -> new IllegalArgumentException("no struct " + name + " in the object's BTF"));
        Map<String, Member> members = new LinkedHashMap<>();
        structure.members().forEach((member, place) -> members.put(member, new Member(place[0], place[1])));
        return new Struct(structure.size(), members);
    }

    @Override
    public void close() {
        object.close();
    }
}
