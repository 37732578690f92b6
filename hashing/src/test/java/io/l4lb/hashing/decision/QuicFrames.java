// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * QUIC to a service whose connection IDs have 8 octets, rotation bits 2 and a server ID of 2 octets.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class QuicFrames {
    /** A long header of version 1. */
    static final String LONG_V1 = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000321234400040113c4bc0000201c6336407" // IPv4 header
            + "c35001bb001ea200" // UDP header
            + "c30000000108470a0b1122334455007061796c6f6164"; // data

    static final String LONG_V1_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000320440fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "45000032123440003f113d4bc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb001ea200c30000000108470a0b1122334455007061796c6f6164"; // as it came

    /** A long header of version 2. */
    static final String LONG_V2 = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000321234400040113c4bc0000201c6336407" // IPv4 header
            + "c35001bb001ea051" // UDP header
            + "c36b3343cf08470a0b1122334455007061796c6f6164"; // data

    static final String LONG_V2_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000320440fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "45000032123440003f113d4bc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb001ea051c36b3343cf08470a0b1122334455007061796c6f6164"; // as it came

    /** A short header, its fixed bit greased. */
    static final String SHORT = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040113c51c0000201c6336407" // IPv4 header
            + "c35001bb00187800" // UDP header
            + "03470a0b11223344557061796c6f6164"; // data

    static final String SHORT_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "60000000002c0440fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "4500002c123440003f113d51c0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb0018780003470a0b11223344557061796c6f6164"; // as it came

    /** A server ID that no real has. */
    static final String UNKNOWN_ID = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040113c51c0000201c6336407" // IPv4 header
            + "c35001bb001837ff" // UDP header
            + "43470a0c11223344557061796c6f6164"; // data

    /** Of another configuration. */
    static final String OTHER_ROTATION = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040113c51c0000201c6336407" // IPv4 header
            + "c35001bb001837e0" // UDP header
            + "43670a0b11223344557061796c6f6164"; // data

    /** A version whose headers are not known. */
    static final String VERSION_3 = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000321234400040113c4bc0000201c6336407" // IPv4 header
            + "c35001bb001ea000" // UDP header
            + "c30000000308470a0b1122334455007061796c6f6164"; // data

    /** Ends within the connection ID. */
    static final String TRUNCATED = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000221234400040113c5bc0000201c6336407" // IPv4 header
            + "c35001bb000ef015" // UDP header
            + "43470a0b1122"; // data

    /** Ends within the connection ID, which goes on behind the packet. */
    static final String PADDED_SHORT = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000221234400040113c5bc0000201c6336407" // IPv4 header
            + "c35001bb000ef015" // UDP header
            + "43470a0b1122" // data
            + "3344557878"; // behind the packet

    /** A short header over IPv6. */
    static final String SHORT6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "600123450018114020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "c35001bb0018c8c2" // UDP header
            + "43470a0b11223344557061796c6f6164"; // data

    static final String SHORT6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000402940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "600123450018113f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "c35001bb0018c8c243470a0b11223344557061796c6f6164"; // as it came

    private QuicFrames() {}
}
