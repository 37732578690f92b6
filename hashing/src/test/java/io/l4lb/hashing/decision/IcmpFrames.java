// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * ICMP and ICMPv6 errors, from a router to a VIP.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class IcmpFrames {
    /** Fragmentation needed, next-hop MTU 1400, quoting 8 bytes of TCP. */
    static final String NEEDS_FRAGMENTATION = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c000381234000040010195cb007101c6336407" // IPv4 header
            + "0304ee3300000578" // ICMP header
            + "450005dc777740003d06d468c6336407c0000201" // quoted IPv4 header
            + "01bbc35022222222"; // quoted ports, sequence

    static final String NEEDS_FRAGMENTATION_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "45c0004c00004000400424ec0a0000020a000101" // outer IPv4
            + "45c00038123400003f010295cb007101c6336407" // IPv4 header, TTL less one
            + "0304ee3300000578450005dc777740003d06d468c6336407c000020101bbc35022222222"; // as it came

    /** Port unreachable, quoting the whole TCP header and data behind an IP header with an option. */
    static final String UNREACHABLE_LONG = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c000681234000040010165cb007101c6336407" // IPv4 header
            + "0303e97300000000" // ICMP header
            + "460005dc777740003d063f64c6336407c000020194040000" // quoted IPv4 header
            + "01bbc35022222222111111125010faf0158d0000" // quoted TCP header
            + "7878787878787878787878787878787878787878787878787878787878787878"; // data

    static final String UNREACHABLE_LONG_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "45c0007c00004000400424bc0a0000020a000101" // outer IPv4
            + "45c00068123400003f010265cb007101c6336407" // IPv4 header, TTL less one
            + "0303e97300000000460005dc777740003d063f64c6336407c00002019404000001bbc35022222222" // as it came
            + "111111125010faf0158d00007878787878787878787878787878787878787878787878787878787878787878";

    /** Time exceeded, quoting 8 bytes. */
    static final String TIME_EXCEEDED = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c000381234000040010195cb007101c6336407" // IPv4 header
            + "0b00ebaf00000000" // ICMP header
            + "450005dc777740003d06d468c6336407c0000201" // quoted IPv4 header
            + "01bbc35022222222"; // quoted ports, sequence

    static final String TIME_EXCEEDED_OUT = "02000000040102000000000b" + "0800" // Ethernet
            + "45c0004c00004000400424ec0a0000020a000101" // outer IPv4
            + "45c00038123400003f010295cb007101c6336407" // IPv4 header, TTL less one
            + "0b00ebaf00000000450005dc777740003d06d468c6336407c000020101bbc35022222222"; // as it came

    /** Quoting one byte less than the ports. */
    static final String SHORT_QUOTE = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c00033123400004001019acb007101c6336407" // IPv4 header
            + "030432c800000578" // ICMP header
            + "450005dc777740003d06d468c6336407c0000201" // quoted IPv4 header
            + "01bbc3"; // quoted not quite the ports

    /** Quoting a packet that the VIP did not send. */
    static final String FOREIGN_QUOTE = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c000381234000040010195cb007101c6336407" // IPv4 header
            + "0304ee3300000578" // ICMP header
            + "450005dc12344000400636abc6336408c0000201" // quoted IPv4 header
            + "01bbc35022222222"; // quoted ports, sequence

    /** An error that is not followed. */
    static final String PARAMETER_PROBLEM = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c000381234000040010195cb007101c6336407" // IPv4 header
            + "0c00eaaf00000000" // ICMP header
            + "450005dc777740003d06d468c6336407c0000201" // quoted IPv4 header
            + "01bbc35022222222"; // quoted ports, sequence

    /** Quoting a fragment that has no ports. */
    static final String QUOTED_LATER_FRAGMENT = "02000000000b02000000000a" + "0800" // Ethernet
            + "45c000381234000040010195cb007101c6336407" // IPv4 header
            + "0b003b6800000000" // ICMP header
            + "450005dc777720b94011f0a4c6336407c0000201" // quoted IPv4 header
            + "736f6d6564617461"; // data

    /** Packet too big, MTU 1400, quoting all there is room for in the example. */
    static final String TOO_BIG6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6000000000643a4020010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "02000d6900000578" // ICMPv6 header
            + "6001234505b4063d20010db8ffff0000000000000000000720010db8000000000000000000000001" // quoted IPv6 header
            + "01bbc35022222222111111125010faf0a64f0000" // quoted TCP header
            + "7878787878787878787878787878787878787878787878787878787878787878"; // data

    static final String TOO_BIG6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "60000000008c2940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6000000000643a3f20010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "02000d69000005786001234505b4063d20010db8ffff0000000000000000000720010db800000000" // as it came
            + "000000000000000101bbc35022222222111111125010faf0a64f0000787878787878787878787878"
            + "7878787878787878787878787878787878787878";

    /** Unreachable, quoting 8 bytes of TCP. */
    static final String UNREACHABLE6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6000000000383a4020010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "0104af0400000000" // ICMPv6 header
            + "6001234505b4063d20010db8ffff0000000000000000000720010db8000000000000000000000001" // quoted IPv6 header
            + "01bbc35022222222"; // quoted ports, sequence

    static final String UNREACHABLE6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000602940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6000000000383a3f20010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "0104af04000000006001234505b4063d20010db8ffff0000000000000000000720010db800000000" // as it came
            + "000000000000000101bbc35022222222";

    /** Time exceeded, quoting a packet with destination options. */
    static final String TIME_EXCEEDED6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6000000000403a4020010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "03006ffc00000000" // ICMPv6 header
            + "6001234505b43c3d20010db8ffff0000000000000000000720010db8000000000000000000000001" // quoted IPv6 header
            + "0600010400000000" // quoted destination options
            + "01bbc35022222222"; // quoted ports, sequence

    static final String TIME_EXCEEDED6_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000682940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6000000000403a3f20010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "03006ffc000000006001234505b43c3d20010db8ffff0000000000000000000720010db800000000" // as it came
            + "0000000000000001060001040000000001bbc35022222222";

    /** Quoting a packet to a mapped address. */
    static final String MAPPED_QUOTE6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6000000000383a4020010db800090000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "0200144600000578" // ICMPv6 header
            + "6001234505b4064020010db8ffff0000000000000000000700000000000000000000ffffc0000201" // quoted IPv6 header
            + "01bbc35022222222"; // quoted ports, sequence

    private IcmpFrames() {}
}
