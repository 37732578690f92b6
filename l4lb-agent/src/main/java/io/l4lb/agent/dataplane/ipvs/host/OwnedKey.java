// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.model.IpText;
import java.net.InetAddress;
import java.util.Optional;

/**
 * What the kernel tells IPVS services apart by: an address, or a firewall mark of one address family.
 *
 * @param protocol IP protocol number; 0 with a mark
 * @param address empty with a mark
 * @param port 0: any
 * @param mark 0 with an address
 * @param ipv6 the family of the mark, or of the address
 */
public record OwnedKey(int protocol, Optional<InetAddress> address, int port, int mark, boolean ipv6) {
    public OwnedKey {
        boolean fits = address.isPresent()
                ? mark == 0
                        && protocol >= 0
                        && protocol <= 255
                        && port >= 0
                        && port <= 65535
                        && ipv6 == (address.get().getAddress().length == 16)
                : mark != 0 && protocol == 0 && port == 0;
        if (!fits) {
            throw new IllegalArgumentException("no IPVS service: protocol " + protocol + ", " + address + ", port "
                    + port + ", mark " + Integer.toHexString(mark));
        }
    }

    public static OwnedKey address(int protocol, InetAddress address, int port) {
        return new OwnedKey(protocol, Optional.of(address), port, 0, address.getAddress().length == 16);
    }

    public static OwnedKey mark(int mark, boolean ipv6) {
        return new OwnedKey(0, Optional.empty(), 0, mark, ipv6);
    }

    /** {@code protocol-6-192.0.2.10-80}, {@code mark-4c340001-ipv4}: a file's name too. */
    @Override
    public String toString() {
        return address.map(vip -> "protocol-" + protocol + "-" + IpText.of(vip) + "-" + port)
                .orElseGet(() -> "mark-" + Integer.toHexString(mark) + "-" + (ipv6 ? "ipv6" : "ipv4"));
    }
}
