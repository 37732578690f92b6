// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * Echo requests to a VIP, and their replies.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class EchoFrames {
    /** Seven bytes of data, TTL 1. */
    static final String ECHO4 = "02000000000b02000000000a" + "0800" // Ethernet
            + "452000234242400001014b3cc0000201c6336407" // IPv4 header
            + "0800549d12340001" // ICMP header
            + "61626364656667"; // data

    static final String ECHO4_OUT = "02000000000a02000000000b" + "0800" // Ethernet
            + "452000234242400040010c3cc6336407c0000201" // IPv4 header
            + "00005c9d12340001" // ICMP header
            + "61626364656667"; // data

    /** The checksum overflows when the type becomes 0. */
    static final String ECHO4_CARRY = "02000000000b02000000000a" + "0800" // Ethernet
            + "4520001e4242400037011541c0000201c6336407" // IPv4 header
            + "0800f80112340001" // ICMP header
            + "edc8"; // data

    static final String ECHO4_CARRY_OUT = "02000000000a02000000000b" + "0800" // Ethernet
            + "4520001e4242400040010c41c6336407c0000201" // IPv4 header
            + "0000000212340001" // ICMP header
            + "edc8"; // data

    /** In VLAN 100, with an IP option, without data. */
    static final String ECHO4_VLAN = "02000000000b02000000000a" + "81000064" + "0800"
            + "46200020424240004001093ec0000201c633640701010100" + "0800e5ca12340001" + ""; // tag 100

    static final String ECHO4_VLAN_OUT = "02000000000a02000000000b" + "81000064" + "0800"
            + "46200020424240004001093ec6336407c000020101010100" + "0000edca12340001" + ""; // tag 100

    /** Seven bytes of data over IPv6. */
    static final String ECHO6 = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345000f3aff20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "800080d912340001" // ICMPv6 header
            + "61626364656667"; // data

    static final String ECHO6_OUT = "02000000000a02000000000b" + "86dd" // Ethernet
            + "60012345000f3a4020010db8ffff0000000000000000000720010db8000000000000000000000001" // IPv6 header
            + "81007fd912340001" // ICMPv6 header
            + "61626364656667"; // data

    /** An echo request that a routing header would lead further. */
    static final String ECHO6_ROUTED = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500242b4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "3a0204010000000020010db8000500000000000000000005" // routing, one left
            + "8000394712340001" // ICMPv6 header
            + "64617461"; // data

    /** Whoever answered this would answer many. */
    static final String ECHO4_FROM_MULTICAST = "02000000000b02000000000a" + "0800" // Ethernet
            + "45200023424240004001ee3be0000001c6336407" // IPv4 header
            + "0800549d12340001" // ICMP header
            + "61626364656667"; // data

    /** And this. */
    static final String ECHO4_FROM_BROADCAST = "02000000000b02000000000a" + "0800" // Ethernet
            + "45200023424240004001ce3dffffffffc6336407" // IPv4 header
            + "0800549d12340001" // ICMP header
            + "61626364656667"; // data

    private EchoFrames() {}
}
