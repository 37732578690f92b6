// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;

/** {@code struct vip_filter} of {@code l4lb.h}: a set of addresses that may have more than were put into it. */
record VipFilter(BitMask bits) {
    /** {@code L4LB_VIP_FILTER_BITS}: it has 2 to this power bits. */
    static final int BITS = 16;

    static final int SIZE = 1 << (BITS - 3);

    /** 2^32 divided by the golden ratio, as in {@code vip_filter_bit}. */
    private static final int MULTIPLIER = 0x9e3779b1;

    static VipFilter of(Collection<InetAddress> vips) {
        BitMask bits = new BitMask(SIZE);
        vips.forEach(vip -> bits.set(bit(vip)));
        return new VipFilter(bits);
    }

    /** The bit of an address: its words as they lie in memory, multiplied. */
    static int bit(InetAddress vip) {
        ByteBuffer address = ByteBuffer.allocate(MappedAddress.SIZE).order(ByteOrder.nativeOrder());
        MappedAddress.put(address, vip);
        address.flip();
        int folded = 0;
        while (address.hasRemaining()) {
            folded ^= address.getInt();
        }
        return (folded * MULTIPLIER) >>> (Integer.SIZE - BITS);
    }

    static VipFilter decode(ByteBuffer bytes) {
        return new VipFilter(BitMask.decode(bytes, SIZE));
    }

    ByteBuffer encode() {
        return bits.encode();
    }
}
