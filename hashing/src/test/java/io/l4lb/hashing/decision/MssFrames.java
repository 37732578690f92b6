// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * SYNs with various options, and what leaves with the clamp at 1400.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class MssFrames {
    /** The option first, 1460 to 1400. */
    static final String EVEN = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500003c1234400040063c4cc0000201c6336407" // IPv4 header
            + "c35001bb1111111100000000a002faf079a40000" // TCP header
            + "020405b40402080a000000010000000001030307"; // TCP options

    static final String EVEN_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500005000004000400425a80a0000020a000101" // outer IPv4
            + "4500003c123440003f063d4cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb1111111100000000a002faf079e00000020405780402080a000000010000000001030307"; // as it came

    /** The option at an odd offset. */
    static final String ODD = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000301234400040063c58c0000201c6336407" // IPv4 header
            + "c35001bb11111111000000007002faf0056e0000" // TCP header
            + "01020405b4030307"; // TCP options

    static final String ODD_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004400004000400425b40a0000020a000101" // outer IPv4
            + "45000030123440003f063d58c0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000007002faf0416e00000102040578030307"; // as it came

    /** 1300 is below the clamp. */
    static final String SMALL = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040063c5cc0000201c6336407" // IPv4 header
            + "c35001bb11111111000000006002faf0ca6b0000" // TCP header
            + "02040514"; // TCP options

    static final String SMALL_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004000004000400425b80a0000020a000101" // outer IPv4
            + "4500002c123440003f063d5cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000006002faf0ca6b000002040514"; // as it came

    /** No option. */
    static final String NONE = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040063c5cc0000201c6336407" // IPv4 header
            + "c35001bb11111111000000006002faf0cd790000" // TCP header
            + "01030307"; // TCP options

    static final String NONE_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004000004000400425b80a0000020a000101" // outer IPv4
            + "4500002c123440003f063d5cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000006002faf0cd79000001030307"; // as it came

    /** An option that leads outside: left alone. */
    static final String BROKEN = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040063c5cc0000201c6336407" // IPv4 header
            + "c35001bb11111111000000006002faf0cd790000" // TCP header
            + "01010309"; // TCP options

    static final String BROKEN_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004000004000400425b80a0000020a000101" // outer IPv4
            + "4500002c123440003f063d5cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000006002faf0cd79000001010309"; // as it came

    /** An option of length 0: left alone. */
    static final String ZERO_LENGTH = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000301234400040063c58c0000201c6336407" // IPv4 header
            + "c35001bb11111111000000007002faf0b6c70000" // TCP header
            + "0300020405b40000"; // TCP options

    static final String ZERO_LENGTH_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004400004000400425b40a0000020a000101" // outer IPv4
            + "45000030123440003f063d58c0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000007002faf0b6c700000300020405b40000"; // as it came

    /** Behind the end of the options: no option. */
    static final String BEHIND_END = "02000000000b02000000000a" + "0800" // Ethernet
            + "450000301234400040063c58c0000201c6336407" // IPv4 header
            + "c35001bb11111111000000007002faf009780000" // TCP header
            + "00020405b4000000"; // TCP options

    static final String BEHIND_END_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004400004000400425b40a0000020a000101" // outer IPv4
            + "45000030123440003f063d58c0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000007002faf00978000000020405b4000000"; // as it came

    /** An option of which only the kind is there. */
    static final String LAST_BYTE = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040063c5cc0000201c6336407" // IPv4 header
            + "c35001bb11111111000000006002faf0cf800000" // TCP header
            + "01010102"; // TCP options

    static final String LAST_BYTE_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004000004000400425b80a0000020a000101" // outer IPv4
            + "4500002c123440003f063d5cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000006002faf0cf80000001010102"; // as it came

    /** Begins no connection. */
    static final String SYN_ACK = "02000000000b02000000000a" + "0800" // Ethernet
            + "4500002c1234400040063c5cc0000201c6336407" // IPv4 header
            + "c35001bb11111111000000006012faf0c9bb0000" // TCP header
            + "020405b4"; // TCP options

    static final String SYN_ACK_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "4500004000004000400425b80a0000020a000101" // outer IPv4
            + "4500002c123440003f063d5cc0000201c6336407" // IPv4 header, TTL less one
            + "c35001bb11111111000000006012faf0c9bb0000020405b4"; // as it came

    private MssFrames() {}
}
