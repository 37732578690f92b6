// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.nio.ByteBuffer;
import java.util.function.ToLongFunction;

/** Hashes that others have used or that look good enough: the tests of the hash must refuse each of them. */
enum WeakHash implements ToLongFunction<byte[]> {
    /** The sum of the 16-bit words, as a checksum has it, in the bits that choose the slot. */
    SUM {
        @Override
        public long applyAsLong(byte[] key) {
            ByteBuffer words = ByteBuffer.wrap(key);
            long sum = 0;
            while (words.hasRemaining()) {
                sum += Short.toUnsignedLong(words.getShort());
            }
            return sum << 48;
        }
    },

    /** The exclusive-or of the 64-bit words, times a large odd constant (Fibonacci hashing, 2^64 over the golden ratio). */
    FOLDED_PRODUCT {
        @Override
        public long applyAsLong(byte[] key) {
            ByteBuffer words = ByteBuffer.wrap(key);
            long folded = 0;
            while (words.hasRemaining()) {
                folded ^= words.getLong();
            }
            return folded * 0x9e3779b97f4a7c15L;
        }
    },

    /**
     * IPVS's {@code mh} with {@code mh-port}: the words of the address are folded and the port is added
     * (net/netfilter/ipvs/ip_vs_mh.c), whatever good hash comes after that.
     */
    PORT_ADDED {
        @Override
        public long applyAsLong(byte[] key) {
            ByteBuffer fields = ByteBuffer.wrap(key);
            int address = fields.getInt(0) ^ fields.getInt(4) ^ fields.getInt(8) ^ fields.getInt(12);
            int sum = address + Short.toUnsignedInt(fields.getShort(32));
            byte[] four = ByteBuffer.allocate(Integer.BYTES).putInt(sum).array();
            return SipHash.hash13(new HashSeed(3, 4), four);
        }
    };
}
