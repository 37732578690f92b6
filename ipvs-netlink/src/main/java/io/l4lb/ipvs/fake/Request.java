// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.Octets;
import java.util.function.Supplier;

/** The attributes of a request or of a nest in it, read as the kernel does: what is missing or too short is EINVAL. */
record Request(AttributeReader attributes) {
    static Request of(Octets octets) {
        return refusing(() -> new Request(AttributeReader.of(octets)));
    }

    boolean has(int type) {
        return attributes.find(type).isPresent();
    }

    Request nest(int type) {
        return of(octets(type));
    }

    Octets octets(int type) {
        return attributes.find(type).orElseThrow(() -> new Refusal(Errno.EINVAL));
    }

    int u8(int type) {
        return refusing(() -> octets(type).u8(0));
    }

    int u16Host(int type) {
        return refusing(() -> octets(type).u16Host(0));
    }

    int u16Network(int type) {
        return refusing(() -> octets(type).u16Network(0));
    }

    int u32Host(int type) {
        return refusing(() -> octets(type).i32Host(0));
    }

    /** Text of at most 15 characters, as all names in IPVS. */
    String name(int type) {
        String name = octets(type).toText();
        Refusal.when(name.length() > 15, Errno.EINVAL);
        return name;
    }

    static <T> T refusing(Supplier<T> read) {
        try {
            return read.get();
        } catch (NetlinkException malformed) {
            throw new Refusal(Errno.EINVAL);
        }
    }
}
