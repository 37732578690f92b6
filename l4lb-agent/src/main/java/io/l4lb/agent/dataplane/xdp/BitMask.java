// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Bits as {@code l4lb.h} numbers them: bit n is bit n % 8 of byte n / 8. Written while it is made, then only read. */
final class BitMask {
    private final byte[] bytes;

    BitMask(int size) {
        bytes = new byte[size];
    }

    static BitMask decode(ByteBuffer bytes, int size) {
        BitMask mask = new BitMask(size);
        bytes.duplicate().get(mask.bytes);
        return mask;
    }

    void set(int bit) {
        bytes[bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
    }

    void setAll() {
        Arrays.fill(bytes, (byte) 0xff);
    }

    ByteBuffer encode() {
        return ByteBuffer.wrap(bytes.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BitMask that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }
}
