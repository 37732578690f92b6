// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.Protocol;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;

/** {@code struct vip} of {@code l4lb.h}: one bit for each IP protocol number that some service of the VIP has. */
final class VipValue {
    static final int SIZE = 32;

    private final byte[] protocols;

    private VipValue(byte[] protocols) {
        this.protocols = protocols;
    }

    static VipValue of(Collection<Protocol> offered) {
        byte[] protocols = new byte[SIZE];
        for (Protocol protocol : offered) {
            if (protocol == Protocol.ANY) {
                Arrays.fill(protocols, (byte) 0xff);
            } else {
                protocols[protocol.number() / 8] |= (byte) (1 << (protocol.number() % 8));
            }
        }
        return new VipValue(protocols);
    }

    static VipValue decode(ByteBuffer bytes) {
        byte[] protocols = new byte[SIZE];
        bytes.duplicate().get(protocols);
        return new VipValue(protocols);
    }

    ByteBuffer encode() {
        return ByteBuffer.wrap(protocols.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VipValue that && Arrays.equals(protocols, that.protocols);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(protocols);
    }
}
