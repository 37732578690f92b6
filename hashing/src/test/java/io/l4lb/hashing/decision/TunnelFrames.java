// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * SYN4 and SYN6 of PlainFrames as they leave through other tunnels.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class TunnelFrames {
    /** SYN4 in GUE to an IPv4 real. */
    static final String GUE_4_IN_4 = "02000000040102000000000b" + "0800" // Ethernet
            + "4500005800004000401125930a0000020a000101" // outer IPv4
            + "db1617c000440000" // GUE
            + "4500003c123440003f063d4cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079a40000020405b40402080a000000010000000001030307"; // as it came

    /** SYN4 in GUE to an IPv6 real. */
    static final String GUE_4_IN_6 = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000441140fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "db1617c000440000" // GUE
            + "4500003c123440003f063d4cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079a40000020405b40402080a000000010000000001030307"; // as it came

    /** SYN6 in GUE to an IPv4 real. */
    static final String GUE_6_IN_4 = "02000000040102000000000b" + "0800" // Ethernet
            + "4500006c000040004011257f0a0000020a000101" // outer IPv4
            + "d97217c000580000" // GUE
            + "600123450028063f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb1111111100000000a002faf00a7b0000020405a00402080a000000010000000001030307"; // as it came

    /** SYN6 in GUE to an IPv6 real. */
    static final String GUE_6_IN_6 = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000581140fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "d97217c000580000" // GUE
            + "600123450028063f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb1111111100000000a002faf00a7b0000020405a00402080a000000010000000001030307"; // as it came

    /** SYN4 to an IPv4 real; five bits of the outer source are the hash. */
    static final String SPREAD_4 = "02000000040102000000000b" + "0800" // Ethernet
            + "4500005000004000400425940a0000160a000101" // outer IPv4
            + "4500003c123440003f063d4cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079a40000020405b40402080a000000010000000001030307"; // as it came

    /** SYN6 to an IPv6 real; sixteen bits are. */
    static final String SPREAD_6 = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000502940fd000000000000000000000000009972fd000001000000000000000000000001" // outer IPv6
            + "600123450028063f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb1111111100000000a002faf00a7b0000020405a00402080a000000010000000001030307"; // as it came

    private TunnelFrames() {}
}
