// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.Udp;

/** What stands between the outer IP header and the packet. */
public enum Encapsulation {
    /** Nothing: IP in IP (RFC 2003, 2473, 4213). */
    IPIP(0),
    /** A UDP header: generic UDP encapsulation, variant 1 (draft-ietf-intarea-gue, 4). */
    GUE(Udp.BYTES);

    private final int bytes;

    Encapsulation(int bytes) {
        this.bytes = bytes;
    }

    /** Its length. */
    int bytes() {
        return bytes;
    }
}
