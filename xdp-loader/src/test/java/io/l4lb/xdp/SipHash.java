// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** SipHash-c-d, written from the paper's text and independent of the C program; held to the paper's vector. */
final class SipHash {
    private long v0;
    private long v1;
    private long v2;
    private long v3;

    private SipHash(long k0, long k1) {
        v0 = k0 ^ 0x736f6d6570736575L;
        v1 = k1 ^ 0x646f72616e646f6dL;
        v2 = k0 ^ 0x6c7967656e657261L;
        v3 = k1 ^ 0x7465646279746573L;
    }

    static long hash(int c, int d, long k0, long k1, byte[] message) {
        SipHash state = new SipHash(k0, k1);
        int words = message.length / 8 + 1;
        ByteBuffer padded = ByteBuffer.allocate(words * 8).order(ByteOrder.LITTLE_ENDIAN);
        padded.put(0, message).put(words * 8 - 1, (byte) message.length);
        for (int i = 0; i < words; i++) {
            long word = padded.getLong(i * 8);
            state.v3 ^= word;
            state.rounds(c);
            state.v0 ^= word;
        }
        state.v2 ^= 0xff;
        state.rounds(d);
        return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
    }

    private void rounds(int count) {
        for (int i = 0; i < count; i++) {
            v0 += v1;
            v1 = Long.rotateLeft(v1, 13) ^ v0;
            v0 = Long.rotateLeft(v0, 32);
            v2 += v3;
            v3 = Long.rotateLeft(v3, 16) ^ v2;
            v0 += v3;
            v3 = Long.rotateLeft(v3, 21) ^ v0;
            v2 += v1;
            v1 = Long.rotateLeft(v1, 17) ^ v2;
            v2 = Long.rotateLeft(v2, 32);
        }
    }
}
