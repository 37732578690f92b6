// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IpHeader;
import java.util.Set;

/** Where the dataplane stops reading a frame, though there may be more behind. */
final class Unread {
    /** Types of VLAN tags (IEEE 802.1Q). */
    private static final Set<Integer> TAGS = Set.of(0x8100, 0x88a8);

    private Unread() {}

    /** In words, with a semicolon before them, for the end of a reason; empty: it was read. */
    static String of(byte[] frame) {
        return Ethernet.read(frame).map(ethernet -> of(frame, ethernet)).orElse("");
    }

    private static String of(byte[] frame, Ethernet ethernet) {
        if (TAGS.contains(ethernet.type())) {
            return "; it has more than two VLAN tags, and the dataplane looks behind two at most";
        }
        return IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length)
                        .filter(ip -> !ip.isComplete())
                        .isPresent()
                ? "; it has more than eight IPv6 extension headers, or one is cut off: the dataplane looks behind eight"
                        + " whole ones at most, so it knows neither the protocol nor the ports"
                : "";
    }
}
