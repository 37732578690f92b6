// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.SipHash;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The hash of {@code mh} ({@code ip_vs_mh_hashkey}): the lower 32 bits of SipHash-1-3, which is what {@code hsiphash} is
 * on 64-bit machines, over the sum of address, port and an offset as four bytes in the machine's order, little endian.
 *
 * <p>Different sums alone make different hashes: addresses in a row with ports in a row do not. An IPv6 address counts
 * as the exclusive-or of its four words. The family that counts is the service's: of an IPv6 destination of an IPv4
 * service the first word is hashed alone, so that those of one /32 all have the same.
 */
final class MhHash {
    /** {@code hash1}, whose words are constants of the kernel: it keeps no secret. */
    static final MhHash FIRST = new MhHash(2654435761L);
    /** {@code hash2}. */
    static final MhHash SECOND = new MhHash(2654446892L);

    private final HashSeed key;

    private MhHash(long word) {
        key = new HashSeed(word, word);
    }

    /** The hash modulo {@code modulus}, both as unsigned numbers. */
    int of(int addressWord, int port, int offset, int modulus) {
        byte[] sum = ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(offset + port + addressWord)
                .array();
        return Integer.remainderUnsigned((int) SipHash.hash13(key, sum), modulus);
    }

    /** What is hashed of an address in a service of that family. */
    static int fold(StandardProtocolFamily service, InetAddress address) {
        ByteBuffer words = ByteBuffer.wrap(address.getAddress());
        int folded = words.getInt();
        while (service == StandardProtocolFamily.INET6 && words.hasRemaining()) {
            folded ^= words.getInt();
        }
        return folded;
    }
}
