// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.nio.ByteOrder;
import java.util.Arrays;

/** Appends fixed-size fields, as a kernel struct has them; padding is written out. Not thread-safe. */
public final class OctetsWriter {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final int INITIAL = 64;

    private byte[] bytes = new byte[INITIAL];
    private int length;

    public OctetsWriter u8(int value) {
        return room(1).put(value);
    }

    public OctetsWriter u16Host(int value) {
        return LITTLE_ENDIAN ? room(2).put(value).put(value >> 8) : u16Network(value);
    }

    public OctetsWriter u16Network(int value) {
        return room(2).put(value >> 8).put(value);
    }

    public OctetsWriter u32Host(int value) {
        return LITTLE_ENDIAN
                ? u16Host(value).u16Host(value >> 16)
                : u16Host(value >> 16).u16Host(value);
    }

    public OctetsWriter u64Host(long value) {
        int low = (int) value;
        int high = (int) (value >> 32);
        return LITTLE_ENDIAN ? u32Host(low).u32Host(high) : u32Host(high).u32Host(low);
    }

    public OctetsWriter octets(Octets octets) {
        room(octets.length());
        octets.copyTo(bytes, length);
        length += octets.length();
        return this;
    }

    public OctetsWriter zeros(int count) {
        room(count);
        length += count; // what follows the length is 0
        return this;
    }

    /** Writes over what is there already. */
    void patchU16Host(int offset, int value) {
        bytes[offset] = (byte) (LITTLE_ENDIAN ? value : value >> 8);
        bytes[offset + 1] = (byte) (LITTLE_ENDIAN ? value >> 8 : value);
    }

    public int length() {
        return length;
    }

    public Octets toOctets() {
        return Octets.owning(Arrays.copyOf(bytes, length));
    }

    private OctetsWriter put(int value) {
        bytes[length++] = (byte) value;
        return this;
    }

    private OctetsWriter room(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(length + more, 2 * bytes.length));
        }
        return this;
    }
}
