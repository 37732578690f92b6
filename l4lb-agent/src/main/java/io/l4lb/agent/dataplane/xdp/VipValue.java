// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.Protocol;
import java.nio.ByteBuffer;
import java.util.Collection;

/** {@code struct vip} of {@code l4lb.h}: one bit for each IP protocol number that some service of the VIP has. */
record VipValue(BitMask protocols) {
    static final int SIZE = 32;

    static VipValue of(Collection<Protocol> offered) {
        BitMask protocols = new BitMask(SIZE);
        for (Protocol protocol : offered) {
            if (protocol == Protocol.ANY) {
                protocols.setAll();
            } else {
                protocols.set(protocol.number());
            }
        }
        return new VipValue(protocols);
    }

    static VipValue decode(ByteBuffer bytes) {
        return new VipValue(BitMask.decode(bytes, SIZE));
    }

    ByteBuffer encode() {
        return protocols.encode();
    }
}
