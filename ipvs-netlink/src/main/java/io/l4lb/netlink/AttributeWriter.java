// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Appends attributes, each padded to 4 octets. Not thread-safe. */
public final class AttributeWriter {
    private final OctetsWriter out = new OctetsWriter();

    public AttributeWriter octets(int type, Octets value) {
        return append(type, 0, value);
    }

    public AttributeWriter u8(int type, int value) {
        return octets(type, new OctetsWriter().u8(value).toOctets());
    }

    public AttributeWriter u16Host(int type, int value) {
        return octets(type, new OctetsWriter().u16Host(value).toOctets());
    }

    public AttributeWriter u16Network(int type, int value) {
        return octets(type, new OctetsWriter().u16Network(value).toOctets());
    }

    public AttributeWriter u32Host(int type, int value) {
        return octets(type, new OctetsWriter().u32Host(value).toOctets());
    }

    public AttributeWriter u64Host(int type, long value) {
        return octets(type, new OctetsWriter().u64Host(value).toOctets());
    }

    /** Text with its closing NUL. */
    public AttributeWriter text(int type, String value) {
        Octets text = Octets.of(value.getBytes(StandardCharsets.UTF_8));
        return octets(type, new OctetsWriter().octets(text).u8(0).toOctets());
    }

    /** The address's 4 or 16 octets. */
    public AttributeWriter address(int type, InetAddress value) {
        return octets(type, Octets.of(value));
    }

    public AttributeWriter nested(int type, Consumer<AttributeWriter> content) {
        AttributeWriter inner = new AttributeWriter();
        content.accept(inner);
        return append(type, Attribute.NESTED_FLAG, inner.toOctets());
    }

    public Octets toOctets() {
        return out.toOctets();
    }

    private AttributeWriter append(int type, int flag, Octets value) {
        Attribute attribute = new Attribute(type, value);
        int length = Attribute.HEADER + attribute.value().length();
        out.u16Host(length).u16Host(type | flag).octets(value).zeros(Attribute.aligned(length) - length);
        return this;
    }
}
