// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Appends fixed-size fields, as a kernel struct has them; padding is written out. Not thread-safe. */
public final class OctetsWriter {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    public OctetsWriter u8(int value) {
        out.write(value);
        return this;
    }

    public OctetsWriter u16Host(int value) {
        return u16(value, ByteOrder.nativeOrder());
    }

    public OctetsWriter u16Network(int value) {
        return u16(value, ByteOrder.BIG_ENDIAN);
    }

    public OctetsWriter u32Host(int value) {
        byte[] field = new byte[4];
        ByteBuffer.wrap(field).order(ByteOrder.nativeOrder()).putInt(value);
        return append(field);
    }

    public OctetsWriter u64Host(long value) {
        byte[] field = new byte[8];
        ByteBuffer.wrap(field).order(ByteOrder.nativeOrder()).putLong(value);
        return append(field);
    }

    public OctetsWriter octets(Octets octets) {
        return append(octets.toArray());
    }

    public OctetsWriter zeros(int count) {
        return append(new byte[count]);
    }

    public int length() {
        return out.size();
    }

    public Octets toOctets() {
        return Octets.of(out.toByteArray());
    }

    private OctetsWriter u16(int value, ByteOrder order) {
        byte[] field = new byte[2];
        ByteBuffer.wrap(field).order(order).putShort((short) value);
        return append(field);
    }

    private OctetsWriter append(byte[] field) {
        out.writeBytes(field);
        return this;
    }
}
