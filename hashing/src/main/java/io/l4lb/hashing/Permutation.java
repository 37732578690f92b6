// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

/**
 * The order in which one real prefers the slots: {@code offset, offset + skip, offset + 2 skip, …} modulo the size. It
 * visits every slot once because the size is prime (Maglev paper, section 3.4).
 *
 * @param offset 0 to size - 1
 * @param skip 1 to size - 1
 * @param size number of slots, prime
 */
record Permutation(int offset, int skip, int size) {
    /** The permutation of a real; offset and skip are the two halves of its hash under the site's seed. */
    static Permutation of(String identity, int size, HashSeed seed) {
        long hash = SipHash.hash13(seed, identity);
        int offset = LookupTable.slotOf(hash, size);
        int skip = 1 + LookupTable.slotOf(hash << Integer.SIZE, size - 1);
        return new Permutation(offset, skip, size);
    }

    /** The slot preferred right after this one. */
    int after(int slot) {
        return after(slot, skip, size);
    }

    /** One step on the way round. Without a branch, which no processor could foresee. */
    static int after(int slot, int skip, int size) {
        int next = slot + skip - size;
        return next + (next >> 31 & size);
    }
}
