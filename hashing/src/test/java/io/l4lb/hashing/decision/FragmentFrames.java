// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * Packets in pieces.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class FragmentFrames {
    /** Bytes 0 to 15 of a UDP datagram of 48, its header first. */
    static final String FIRST4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "45000024beef20004011af9dc0000201c6336407" // IPv4 header
            + "c35001bb0030d0b40001020304050607"; // UDP header, data

    static final String FIRST4_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500003800004000400425c00a0000020a000101" // outer IPv4
            + "45000024beef20003f11b09dc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb0030d0b40001020304050607"; // as it came

    /** Bytes 16 to 31. */
    static final String MIDDLE4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "45000024beef20024011af9bc0000201c6336407" // IPv4 header
            + "08090a0b0c0d0e0f1011121314151617"; // data

    static final String MIDDLE4_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500003800004000400425c00a0000020a000101" // outer IPv4
            + "45000024beef20023f11b09bc0000201c6336407" // IPv4 header, TTL less one
            + "08090a0b0c0d0e0f1011121314151617"; // as it came

    /** Bytes 32 to 47. */
    static final String LAST4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "45000024beef00044011cf99c0000201c6336407" // IPv4 header
            + "18191a1b1c1d1e1f2021222324252627"; // data

    static final String LAST4_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500003800004000400425c00a0000020a000101" // outer IPv4
            + "45000024beef00043f11d099c0000201c6336407" // IPv4 header, TTL less one
            + "18191a1b1c1d1e1f2021222324252627"; // as it came

    /** Bytes 0 to 15 of a UDP datagram of 48. */
    static final String FIRST6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500182c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "1100000189abcdef" // fragment header
            + "c35001bb003061770001020304050607"; // UDP header, data

    static final String FIRST6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000402940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6001234500182c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "1100000189abcdefc35001bb003061770001020304050607"; // as it came

    /** Bytes 16 to 31. */
    static final String MIDDLE6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500182c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "1100001189abcdef" // fragment header
            + "08090a0b0c0d0e0f1011121314151617"; // data

    static final String MIDDLE6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000402940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6001234500182c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "1100001189abcdef08090a0b0c0d0e0f1011121314151617"; // as it came

    /** Bytes 32 to 47. */
    static final String LAST6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500182c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "1100002089abcdef" // fragment header
            + "18191a1b1c1d1e1f2021222324252627"; // data

    static final String LAST6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000402940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6001234500182c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "1100002089abcdef18191a1b1c1d1e1f2021222324252627"; // as it came

    /** The first fragment, when destination options stand between fragment header and UDP. */
    static final String FIRST6_OPTIONS = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500202c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "3c00000189abcdef" // fragment header
            + "1100010400000000c35001bb003061770001020304050607"; // destination options, UDP header, data

    static final String FIRST6_OPTIONS_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000482940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6001234500202c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "3c00000189abcdef1100010400000000c35001bb003061770001020304050607"; // as it came

    /** The rest of that packet: what it names is the destination options. */
    static final String LAST6_OPTIONS = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500282c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "3c00001889abcdef" // fragment header
            + "08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627"; // data

    static final String LAST6_OPTIONS_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000502940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6001234500282c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "3c00001889abcdef08090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f2021222324252627"; // as it came

    /** A first fragment that cuts the TCP header in two (RFC 1858). */
    static final String TINY_FIRST4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "45000024beef20004006afa8c0000201c6336407" // IPv4 header
            + "c35001bb11111111000000005002faf0"; // TCP header, cut

    /** The end of a fragmented echo request. */
    static final String LAST_ECHO4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500001cbeef00044001cfb1c0000201c6336407" // IPv4 header
            + "70696e6770696e67"; // data

    /** The beginning of a fragmented echo request. */
    static final String FIRST_ECHO4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "45000024beef20004001afadc0000201c6336407" // IPv4 header
            + "0800282912340001" // ICMP header
            + "70696e6770696e67"; // data

    private FragmentFrames() {}
}
