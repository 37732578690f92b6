// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Appends attributes, each padded to 4 octets. Not thread-safe. */
public final class AttributeWriter {
    private final OctetsWriter out;

    public AttributeWriter() {
        this(new OctetsWriter());
    }

    private AttributeWriter(OctetsWriter out) {
        this.out = out;
    }

    public AttributeWriter octets(int type, Octets value) {
        header(type, 0, value.length()).octets(value);
        return padded(value.length());
    }

    public AttributeWriter u8(int type, int value) {
        header(type, 0, 1).u8(value);
        return padded(1);
    }

    public AttributeWriter u16Host(int type, int value) {
        header(type, 0, 2).u16Host(value);
        return padded(2);
    }

    public AttributeWriter u16Network(int type, int value) {
        header(type, 0, 2).u16Network(value);
        return padded(2);
    }

    public AttributeWriter u32Host(int type, int value) {
        header(type, 0, 4).u32Host(value);
        return this;
    }

    public AttributeWriter u64Host(int type, long value) {
        header(type, 0, 8).u64Host(value);
        return this;
    }

    /** Text with its closing NUL. */
    public AttributeWriter text(int type, String value) {
        byte[] text = value.getBytes(StandardCharsets.UTF_8);
        header(type, 0, text.length + 1).octets(Octets.owning(text)).u8(0);
        return padded(text.length + 1);
    }

    /** The address's 4 or 16 octets. */
    public AttributeWriter address(int type, InetAddress value) {
        return octets(type, Octets.of(value));
    }

    /**
     * Attributes in one that holds them.
     *
     * @param content writes nothing but these
     */
    public AttributeWriter nested(int type, Consumer<AttributeWriter> content) {
        int start = out.length();
        header(type, Attribute.NESTED_FLAG, 0);
        content.accept(new AttributeWriter(out));
        int length = out.length() - start;
        Attribute.check(type, length - Attribute.HEADER);
        out.patchU16Host(start, length);
        return this;
    }

    public Octets toOctets() {
        return out.toOctets();
    }

    private OctetsWriter header(int type, int flag, int length) {
        Attribute.check(type, length);
        return out.u16Host(Attribute.HEADER + length).u16Host(type | flag);
    }

    private AttributeWriter padded(int length) {
        out.zeros(Attribute.aligned(length) - length);
        return this;
    }
}
