// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

/**
 * Which part of a fragmented packet a packet is.
 *
 * @param id 16 bits in IPv4, 32 bits in IPv6
 * @param offset in bytes, of the first byte behind the IP header (IPv6: behind the fragment header)
 * @param protocol what follows, as all fragments of the packet say: of IPv6 the fragment header's next header, which may
 *     be another extension header
 */
public record Fragment(long id, int offset, int protocol) {
    /** The first one carries the transport header. */
    public boolean isFirst() {
        return offset == 0;
    }
}
