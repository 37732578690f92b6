// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collection;

/** {@code struct vip_filter} of {@code l4lb.h}: a set of addresses that may have more than were put into it. */
final class VipFilter {
    /** {@code L4LB_VIP_FILTER_BITS}: it has 2 to this power bits. */
    static final int BITS = 16;

    static final int SIZE = 1 << (BITS - 3);

    /** 2^32 divided by the golden ratio, as in {@code vip_filter_bit}. */
    private static final int MULTIPLIER = 0x9e3779b1;

    private final byte[] bits;

    private VipFilter(byte[] bits) {
        this.bits = bits;
    }

    static VipFilter of(Collection<InetAddress> vips) {
        byte[] bits = new byte[SIZE];
        for (InetAddress vip : vips) {
            int bit = bit(vip);
            bits[bit / 8] |= (byte) (1 << (bit % 8));
        }
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
        byte[] bits = new byte[SIZE];
        bytes.duplicate().get(bits);
        return new VipFilter(bits);
    }

    ByteBuffer encode() {
        return ByteBuffer.wrap(bits.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VipFilter that && Arrays.equals(bits, that.bits);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bits);
    }
}
