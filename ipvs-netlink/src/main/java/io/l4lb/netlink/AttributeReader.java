// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The attributes of one message or one nest, checked as a whole before any is handed out. Unknown types do no harm. */
public final class AttributeReader {
    private final List<Attribute> attributes;

    private AttributeReader(List<Attribute> attributes) {
        this.attributes = attributes;
    }

    /**
     * All attributes of a run of octets.
     *
     * @throws NetlinkException (EBADMSG) if a length does not fit; only the last attribute may lack its padding
     */
    public static AttributeReader of(Octets octets) {
        List<Attribute> attributes = new ArrayList<>();
        int offset = 0;
        while (offset < octets.length()) {
            int length = octets.u16Host(offset);
            int type = octets.u16Host(offset + 2) & Attribute.TYPE_MASK;
            if (length < Attribute.HEADER) {
                throw NetlinkException.malformed("attribute " + type + " claims a length of " + length);
            }
            attributes.add(new Attribute(type, octets.slice(offset + Attribute.HEADER, length - Attribute.HEADER)));
            offset += Attribute.aligned(length);
        }
        return new AttributeReader(attributes);
    }

    /** The value of an attribute; of several the last one counts, as in the kernel's own parser. */
    public Optional<Octets> find(int type) {
        for (int i = attributes.size() - 1; i >= 0; i--) {
            if (attributes.get(i).type() == type) {
                return Optional.of(attributes.get(i).value());
            }
        }
        return Optional.empty();
    }

    /**
     * The value of an attribute that has to be there.
     *
     * @throws NetlinkException (EBADMSG) if it is absent
     */
    public Octets require(int type, String name) {
        return find(type).orElseThrow(() -> NetlinkException.malformed("attribute " + name + " is missing"));
    }

    /** All attributes in the order of the message. */
    public List<Attribute> all() {
        return Collections.unmodifiableList(attributes);
    }
}
