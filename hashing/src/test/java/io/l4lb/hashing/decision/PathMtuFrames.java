// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * What routers say of tunnel packets that are too big for them, and what the VIP says then.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class PathMtuFrames {
    /** Fragmentation needed, next-hop MTU 1400, quoting 8 bytes behind the header of the packet inside. */
    static final String FOUR_IN_FOUR = "02000000000b02000000000a0800" // Ethernet
            + "45c0004c12340000400121bacb0071010a000002" // IPv4 header
            + "0304105600000578" // ICMP header
            + "450005d4000040003f0421240a0000020a000101" // quoted outer IPv4
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String FOUR_IN_FOUR_OUT = "02000000000a02000000000b0800" // Ethernet
            + "450000380000400040014e89c6336407c0000201" // IPv4 header
            + "0304106a00000564" // ICMP header
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** With two tags, of a packet with an option, quoting an odd number of bytes. */
    static final String OPTIONS = "02000000000b02000000000a88a80064810000650800" // Ethernet
            + "45c0006112340000400121a5cb0071010a000002" // IPv4 header
            + "0304181f00000578" // ICMP header
            + "450005d4000040003f0421240a0000020a000101" // quoted outer IPv4
            + "460005c0123440003f06a2c3c0000201c633640794040000" // quoted IPv4 header
            + "c35001bb11111111222222225010faf0000000007878787878"; // quoted ports, sequence, more

    static final String OPTIONS_OUT = "02000000000a02000000000b88a80064810000650800" // Ethernet
            + "4500004d0000400040014e74c6336407c0000201" // IPv4 header
            + "0304183300000564" // ICMP header
            + "460005c0123440003f06a2c3c0000201c633640794040000" // quoted IPv4 header
            + "c35001bb11111111222222225010faf0000000007878787878"; // quoted ports, sequence, more

    /** Of an IPv6 packet; the answer is as long as the message. */
    static final String SIX_IN_FOUR = "02000000000b02000000000a0800" // Ethernet
            + "45c0006012340000400121a6cb0071010a000002" // IPv4 header
            + "030425ca00000578" // ICMP header
            + "450005c8000040003f29210b0a0000020a000101" // quoted outer IPv4
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String SIX_IN_FOUR_OUT = "02000000000a02000000000b86dd" // Ethernet
            + "6000000000383a4020010db8ffff0000000000000000000720010db8000000000000000000000001" // IPv6 header
            + "0200caf500000564" // ICMPv6 header
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** Packet too big, MTU 1400, of an IPv4 packet. */
    static final String FOUR_IN_SIX = "02000000000b02000000000a86dd" // Ethernet
            + "60000000004c3a4020010db8000900000000000000000001fd000000000000000000000000000002" // IPv6 header
            + "0200820800000578" // ICMPv6 header
            + "6000000005c0043ffd000000000000000000000000000002fd000001000000000000000000000001" // quoted outer IPv6
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String FOUR_IN_SIX_OUT = "02000000000a02000000000b0800" // Ethernet
            + "450000380000400040014e89c6336407c0000201" // IPv4 header
            + "0304107e00000550" // ICMP header
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** MTU 1300, which leaves less than any IPv6 link has. */
    static final String SIX_IN_SIX = "02000000000b02000000000a86dd" // Ethernet
            + "6000000000603a4020010db8000900000000000000000001fd000000000000000000000000000002" // IPv6 header
            + "020072d800000514" // ICMPv6 header
            + "6000000005b4293ffd000000000000000000000000000002fd000001000000000000000000000001" // quoted outer IPv6
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String SIX_IN_SIX_OUT = "02000000000a02000000000b86dd" // Ethernet
            + "6000000000383a4020010db8ffff0000000000000000000720010db8000000000000000000000001" // IPv6 header
            + "0200cb5900000500" // ICMPv6 header
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** In GUE. */
    static final String GUE_4_IN_4 = "02000000000b02000000000a0800" // Ethernet
            + "45c0005412340000400121b2cb0071010a000002" // IPv4 header
            + "030417b700000578" // ICMP header
            + "450005dc000040003f11210f0a0000020a000101" // quoted outer IPv4
            + "db1617c005c80000" // quoted GUE
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String GUE_4_IN_4_OUT = "02000000000a02000000000b0800" // Ethernet
            + "450000380000400040014e89c6336407c0000201" // IPv4 header
            + "030410720000055c" // ICMP header
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** In GUE. */
    static final String GUE_6_IN_4 = "02000000000b02000000000a0800" // Ethernet
            + "45c00068123400004001219ecb0071010a000002" // IPv4 header
            + "03042d3700000578" // ICMP header
            + "450005d0000040003f11211b0a0000020a000101" // quoted outer IPv4
            + "db1617c005bc0000" // quoted GUE
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String GUE_6_IN_4_OUT = "02000000000a02000000000b86dd" // Ethernet
            + "6000000000383a4020010db8ffff0000000000000000000720010db8000000000000000000000001" // IPv6 header
            + "0200cafd0000055c" // ICMPv6 header
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** In GUE. */
    static final String GUE_4_IN_6 = "02000000000b02000000000a86dd" // Ethernet
            + "6000000000543a4020010db8000900000000000000000001fd000000000000000000000000000002" // IPv6 header
            + "02007c5900000578" // ICMPv6 header
            + "6000000005c8113ffd000000000000000000000000000002fd000001000000000000000000000001" // quoted outer IPv6
            + "db1617c005c80000" // quoted GUE
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String GUE_4_IN_6_OUT = "02000000000a02000000000b0800" // Ethernet
            + "450000380000400040014e89c6336407c0000201" // IPv4 header
            + "0304108600000548" // ICMP header
            + "450005c0123440003f0637c8c0000201c6336407" // quoted IPv4 header
            + "c35001bb11111111"; // quoted ports, sequence

    /** In GUE. */
    static final String GUE_6_IN_6 = "02000000000b02000000000a86dd" // Ethernet
            + "6000000000683a4020010db8000900000000000000000001fd000000000000000000000000000002" // IPv6 header
            + "020091d100000578" // ICMPv6 header
            + "6000000005bc113ffd000000000000000000000000000002fd000001000000000000000000000001" // quoted outer IPv6
            + "db1617c005bc0000" // quoted GUE
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    static final String GUE_6_IN_6_OUT = "02000000000a02000000000b86dd" // Ethernet
            + "6000000000383a4020010db8ffff0000000000000000000720010db8000000000000000000000001" // IPv6 header
            + "0200cb1100000548" // ICMPv6 header
            + "60012345058c063f20010db800000000000000000000000120010db8ffff00000000000000000007" // quoted IPv6 header
            + "c35001bb11111111"; // quoted ports, sequence

    private PathMtuFrames() {}
}
