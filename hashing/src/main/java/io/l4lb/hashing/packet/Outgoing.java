// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

/**
 * What a new IP header says besides lengths and addresses.
 *
 * @param protocol of what follows
 * @param trafficClass DSCP and ECN, 8 bits
 */
public record Outgoing(int protocol, int trafficClass) {
    /** Time to live, or hop limit, of every header that is made here. */
    public static final int TTL = 64;
}
