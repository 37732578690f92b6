// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * What the VIP answers to packets that do not fit the tunnel.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class TooBigFrames {
    /** The answer to SYN4 when 59 bytes would fit. */
    static final String SYN4_TOO_BIG = "02000000000a02000000000b0800" // Ethernet
            + "450000580000400040014e69c6336407c0000201" // IPv4 header
            + "0304e92b0000003b" // ICMP header
            + "4500003c1234400040063c4cc0000201c6336407c35001bb1111111100000000a002faf079a40000" // quoted all of it
            + "020405b40402080a000000010000000001030307";

    /** The answer to SYN4_VLAN. */
    static final String VLAN_TOO_BIG = "02000000000a02000000000b810000640800" // Ethernet
            + "450000580000400040014e69c6336407c0000201" // IPv4 header
            + "0304e92b0000003b" // ICMP header
            + "4500003c1234400040063c4cc0000201c6336407c35001bb1111111100000000a002faf079a40000" // quoted all of it
            + "020405b40402080a000000010000000001030307";

    /** The answer to ACK4_PADDED: what stands behind the packet is not quoted. */
    static final String PADDED_TOO_BIG = "02000000000a02000000000b0800" // Ethernet
            + "450000440000400040014e7dc6336407c0000201" // IPv4 header
            + "0304e92b00000027" // ICMP header
            + "450000281234400040063c60c0000201c6336407c35001bb11111112222222235010faf09d330000"; // quoted all of it

    /** The answer to SYN6 when 79 bytes would fit. */
    static final String SYN6_TOO_BIG = "02000000000a02000000000b86dd" // Ethernet
            + "6000000000583a4020010db8ffff0000000000000000000720010db8000000000000000000000001" // IPv6 header
            + "020018240000004f" // ICMPv6 header
            + "600123450028064020010db800000000000000000000000120010db8ffff00000000000000000007" // quoted all of it
            + "c35001bb1111111100000000a002faf00a7b0000020405a00402080a000000010000000001030307";

    private TooBigFrames() {}
}
