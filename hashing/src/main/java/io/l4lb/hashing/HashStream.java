// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

/**
 * As many 64-bit hashes of one real as are asked for, always the same ones in the same order: SplitMix64 from the keyed
 * hash of its identity on. Who does not know the seed knows none of them.
 *
 * <p>Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
 */
final class HashStream {
    private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

    private long state;

    HashStream(String identity, HashSeed seed) {
        state = SipHash.hash13(seed, identity);
    }

    long next() {
        state += GOLDEN_GAMMA;
        long mixed = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
