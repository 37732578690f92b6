// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * TCP SYNs over IPv6 with extension headers, to an IPv6 real.
 *
 * <p>Written header by header by a separate program in Python, which shares no code with the model. "out" is what leaves.
 */
final class ExtensionFrames {
    /** With hop-by-hop options. */
    static final String HOP_BY_HOP = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345001c004020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "0600050200000100" // hop-by-hop: router alert
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    static final String HOP_BY_HOP_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000442940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "60012345001c003f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "0600050200000100c35001bb11111111000000005002faf0724a0000"; // as it came

    /** With a routing header. */
    static final String ROUTING = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345002c2b4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "060204000000000020010db8000500000000000000000005" // routing, none left
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    static final String ROUTING_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000542940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "60012345002c2b3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "060204000000000020010db8000500000000000000000005c35001bb11111111000000005002faf0724a0000"; // as it came

    /** With destination options. */
    static final String DESTINATION = "02000000000b02000000000a" + "86dd" // Ethernet
            + "6001234500243c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "0601010c000000000000000000000000" // destination options: padding
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    static final String DESTINATION_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "60000000004c2940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "6001234500243c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "0601010c000000000000000000000000c35001bb11111111000000005002faf0724a0000"; // as it came

    /** With a fragment header that is first and last in one. */
    static final String ATOMIC_FRAGMENT = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345001c2c4020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "0600000089abcdef" // atomic fragment
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    static final String ATOMIC_FRAGMENT_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000442940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "60012345001c2c3f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "0600000089abcdefc35001bb11111111000000005002faf0724a0000"; // as it came

    /** With all of them. */
    static final String ALL_FOUR = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345004c004020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "3c00050200000100" // hop-by-hop: router alert
            + "2b01010c000000000000000000000000" // destination options: padding
            + "2c0204000000000020010db8000500000000000000000005" // routing, none left
            + "0600000089abcdef" // atomic fragment
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    static final String ALL_FOUR_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000742940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "60012345004c003f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "3c000502000001002b01010c0000000000000000000000002c0204000000000020010db800050000" // as it came
            + "00000000000000050600000089abcdefc35001bb11111111000000005002faf0724a0000";

    /** With as many as are followed. */
    static final String EIGHT = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345008c004020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "3c00050200000100" // hop-by-hop: router alert
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "0601010c000000000000000000000000" // destination options: padding
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    static final String EIGHT_OUT = "02000000060102000000000b" + "86dd" // Ethernet
            + "6000000000b42940fd000000000000000000000000000002fd000001000000000000000000000001" // outer IPv6
            + "60012345008c003f20010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header, hop
            // limit less one
            + "3c000502000001003c01010c0000000000000000000000003c01010c000000000000000000000000" // as it came
            + "3c01010c0000000000000000000000003c01010c0000000000000000000000003c01010c00000000"
            + "00000000000000003c01010c0000000000000000000000000601010c000000000000000000000000"
            + "c35001bb11111111000000005002faf0724a0000";

    /** With one more than are followed. */
    static final String NINE = "02000000000b02000000000a" + "86dd" // Ethernet
            + "60012345009c004020010db800000000000000000000000120010db8ffff00000000000000000007" // IPv6 header
            + "3c00050200000100" // hop-by-hop: router alert
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "3c01010c000000000000000000000000" // destination options: padding
            + "0601010c000000000000000000000000" // destination options: padding
            + "c35001bb11111111000000005002faf0724a0000"; // TCP header

    private ExtensionFrames() {}
}
