// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.util.Set;

/**
 * What the packet model does and the XDP program does not do yet. Each line here goes when the program learns it, and so
 * do the switches that {@link Scenario} has off for the same reason: answers to echo requests and to packets that are
 * too big.
 */
final class NotYet {
    private static final int TYPE = 12;
    private static final int IP = 14;
    private static final Set<Integer> VLAN = Set.of(0x8100, 0x88a8);
    private static final int IPV4 = 0x0800;
    private static final int IPV6 = 0x86dd;
    private static final int FRAGMENT_MASK = 0x3fff; // more fragments, or an offset
    private static final Set<Integer> EXTENSION_HEADERS = Set.of(0, 43, 44, 60);
    private static final Set<Integer> ICMP = Set.of(1, 58);

    private NotYet() {}

    /** Whether the program may do something else with the frame than the model does: any frame of these kinds. */
    static boolean leftOut(byte[] frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame);
        int type = Short.toUnsignedInt(bytes.getShort(TYPE));
        return switch (type) {
            case IPV4 -> frame.length >= IP + 20 && leftOutOfIpv4(bytes);
            case IPV6 -> frame.length >= IP + 40 && leftOutOfIpv6(bytes);
            default -> VLAN.contains(type);
        };
    }

    private static boolean leftOutOfIpv4(ByteBuffer bytes) {
        return (bytes.getShort(IP + 6) & FRAGMENT_MASK) != 0 || ICMP.contains(Byte.toUnsignedInt(bytes.get(IP + 9)));
    }

    private static boolean leftOutOfIpv6(ByteBuffer bytes) {
        int next = Byte.toUnsignedInt(bytes.get(IP + 6));
        return EXTENSION_HEADERS.contains(next) || ICMP.contains(next);
    }
}
