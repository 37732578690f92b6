// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

/**
 * One attribute (struct nlattr: u16 length with the 4 octets of header, u16 type, value, padding to 4).
 *
 * @param type without the flag bits NLA_F_NESTED and NLA_F_NET_BYTEORDER
 */
public record Attribute(int type, Octets value) {
    static final int HEADER = 4;
    static final int NESTED_FLAG = 0x8000;
    static final int TYPE_MASK = 0x3fff;
    static final int MAX_VALUE = 0xffff - HEADER;

    public Attribute {
        check(type, value.length());
    }

    static void check(int type, int length) {
        if (type < 0 || type > TYPE_MASK) {
            throw new IllegalArgumentException("attribute type " + type);
        }
        if (length > MAX_VALUE) {
            throw new IllegalArgumentException("attribute of " + length + " octets");
        }
    }

    /** The value read as attributes of their own. */
    public AttributeReader nested() {
        return AttributeReader.of(value);
    }

    static int aligned(int length) {
        return (length + 3) & ~3;
    }
}
