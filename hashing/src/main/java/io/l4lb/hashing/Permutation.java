// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The order in which one real prefers the slots: {@code offset, offset + skip, offset + 2 skip, …} modulo the size. It
 * visits every slot once because the size is prime (Maglev paper, section 3.4).
 *
 * @param offset 0 to size - 1
 * @param skip 1 to size - 1
 * @param size number of slots, prime
 */
record Permutation(int offset, int skip, int size) {
    private static final byte OFFSET = 0;
    private static final byte SKIP = 1;

    /** The permutation of a real; offset and skip are two independent hashes of its identity under the site's seed. */
    static Permutation of(String identity, int size, HashSeed seed) {
        byte[] name = identity.getBytes(StandardCharsets.UTF_8);
        byte[] purposed = Arrays.copyOf(name, name.length + 1);
        purposed[name.length] = OFFSET;
        int offset = (int) Long.remainderUnsigned(SipHash.hash13(seed, purposed), size);
        purposed[name.length] = SKIP;
        int skip = 1 + (int) Long.remainderUnsigned(SipHash.hash13(seed, purposed), size - 1);
        return new Permutation(offset, skip, size);
    }

    /** The slot preferred right after this one. */
    int after(int slot) {
        int next = slot + skip;
        return next < size ? next : next - size;
    }
}
