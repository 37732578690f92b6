// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * TCP and UDP packets of one piece.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class PlainFrames {
    /** TCP SYN as Linux sends it, to an IPv4 real. */
    static final String SYN4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500003c1234400040063c4cc0000201c6336407" // IPv4 header
            + "c35001bb1111111100000000a002faf079a40000" // TCP header
            + "020405b40402080a000000010000000001030307"; // TCP options

    static final String SYN4_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500005000004000400425a80a0000020a000101" // outer IPv4
            + "4500003c123440003f063d4cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079a40000020405b40402080a000000010000000001030307"; // as it came

    /** A bare ACK of 40 bytes, padded to the least Ethernet frame of 60. */
    static final String ACK4_PADDED = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000281234400040063c60c0000201c6336407" // IPv4 header
            + "c35001bb11111112222222235010faf09d330000" // TCP header
            + "000000000000"; // Ethernet padding

    static final String ACK4_PADDED_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500003c00004000400425bc0a0000020a000101" // outer IPv4
            + "45000028123440003f063d60c0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111112222222235010faf09d330000000000000000"; // as it came

    /** A DNS query with DSCP 46 and ECN 1, TTL 2, to an IPv6 real. */
    static final String DNS4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "45b90039123400000211b98bc0000201c6336407" // IPv4 header
            + "c35000350025cc88" // UDP header
            + "abcd0100000100000000000003777777076578616d706c650000010001"; // data

    static final String DNS4_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6b90000000390440fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "45b90039123400000111ba8bc0000201c6336407" // IPv4 header, TTL less one
            + "c35000350025cc88abcd0100000100000000000003777777076578616d706c650000010001"; // as it came

    /** TCP SYN over IPv6, to an IPv6 real. */
    static final String SYN6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "600123450028064020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "c35001bb1111111100000000a002faf00a7b0000" // TCP header
            + "020405a00402080a000000010000000001030307"; // TCP options

    static final String SYN6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000502940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "600123450028063f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb1111111100000000a002faf00a7b0000020405a00402080a000000010000000001030307"; // as it came

    /** UDP over IPv6 with DSCP 46, ECN 1, a flow label and hop limit 2, to an IPv4 real. */
    static final String UDP6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6b9abcde000f110220010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "c35001bb000f7a57" // UDP header
            + "68656c6c6f2121"; // data

    static final String UDP6_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "45b9004b00004000402924cf0a0000020a000101" // outer IPv4
            + "6b9abcde000f110120010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb000f7a5768656c6c6f2121"; // as it came

    /** The SYN with a router alert option (RFC 2113) in its IP header. */
    static final String SYN4_OPTIONS = "02000000000b02000000000a" + "0800" // Ethernet
            + "46000040123440004006a743c0000201c633640794040000" // IPv4 header
            + "c35001bb1111111100000000a002faf079a40000" // TCP header
            + "020405b40402080a000000010000000001030307"; // TCP options

    static final String SYN4_OPTIONS_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500005400004000400425a40a0000020a000101" // outer IPv4
            + "46000040123440003f06a843c0000201c633640794040000" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079a40000020405b40402080a000000010000000001030307"; // as it came

    /** The SYN in VLAN 100. */
    static final String SYN4_VLAN = "02000000000b02000000000a" + "81000064" + "0800"
            + "4500003c1234400040063c4cc0000201c6336407" + "c35001bb1111111100000000a002faf079a40000"
            + "020405b40402080a000000010000000001030307"; // tag 100

    static final String SYN4_VLAN_OUT = "02000000040102000000000b" + "81000064" + "0800" // tags
            + "4500005000004000400425a80a0000020a000101" // outer IPv4
            + "4500003c123440003f063d4cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079a40000020405b40402080a000000010000000001030307"; // as it came

    /** A SYN over IPv6 in VLAN 100 of service VLAN 7, to an IPv4 real. */
    static final String SYN6_QINQ = "02000000000b02000000000a" + "88a80007" + "81000064" + "86dd"
            + "600123450014064020010db800000000000000000000000120010db8ffff00000000000000000007"
            + "c35001bb11111111000000005002faf0724a0000"; // tag 100

    static final String SYN6_QINQ_OUT = "02000000040102000000000b" + "88a8000781000064" + "0800" // tags
            + "4500005000004000402925830a0000020a000101" // outer IPv4
            + "600123450014063f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb11111111000000005002faf0724a0000"; // as it came

    /** One tag too many. */
    static final String SYN4_THREE_TAGS = "02000000000b02000000000a" + "88a80007" + "81000064" + "81000065" + "0800"
            + "4500003c1234400040063c4cc0000201c6336407" + "c35001bb1111111100000000a002faf079a40000"
            + "020405b40402080a000000010000000001030307"; // tag 101

    /** Who has the VIP? */
    static final String ARP = "ffffffffffff02000000000a0806" // Ethernet
            + "000108000604000102000000000ac0000201000000000000c6336407"; // who has the VIP

    private PlainFrames() {}
}
