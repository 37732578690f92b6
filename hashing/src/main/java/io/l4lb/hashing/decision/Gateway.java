// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.packet.MacAddress;
import org.jspecify.annotations.Nullable;

/**
 * The next hop towards the reals of one address family.
 *
 * @param mac its own
 * @param otherInterface MAC of the director's interface that leads there, if it is another than the one that packets
 *     come in by: it is the frames' source then, and their VLAN tags are left behind; else null
 */
public record Gateway(MacAddress mac, @Nullable MacAddress otherInterface) {
    /** A next hop that is reached by the interface that packets come in by, with their VLAN tags. */
    public Gateway(MacAddress mac) {
        this(mac, null);
    }
}
