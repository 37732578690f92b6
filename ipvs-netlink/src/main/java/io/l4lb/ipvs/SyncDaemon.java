// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import java.net.InetAddress;
import java.util.Optional;

/**
 * A sync daemon; there can be one of each role.
 *
 * @param interfaceName that it sends or listens on, 1 to 15 characters
 * @param syncId 0 to 255; a backup with another than 0 heeds only masters of the same
 * @param maximumLength octets of a UDP payload, 0 to 65535; 0 leaves it to the kernel (by the interface's MTU)
 */
public record SyncDaemon(SyncRole role, String interfaceName, int syncId, int maximumLength, SyncMulticast multicast) {
    public SyncDaemon {
        if (interfaceName.isEmpty() || interfaceName.length() > 15) {
            throw new IllegalArgumentException("interface name '" + interfaceName + "'");
        }
        if (syncId < 0 || syncId > 255) {
            throw new IllegalArgumentException("sync ID " + syncId);
        }
        if (maximumLength < 0 || maximumLength > 0xffff) {
            throw new IllegalArgumentException("maximum length " + maximumLength);
        }
    }

    /** With the kernel's choice of everything else. */
    public static SyncDaemon of(SyncRole role, String interfaceName, int syncId) {
        return new SyncDaemon(role, interfaceName, syncId, 0, SyncMulticast.DEFAULT);
    }

    /**
     * Where sync messages go, from Linux 4.3.
     *
     * @param group a multicast address of either family; empty leaves it to the kernel (224.0.0.81)
     * @param port 0 to 65535; 0 leaves it to the kernel (8848)
     * @param hops time to live, 0 to 255; 0 leaves it to the kernel (1)
     */
    public record SyncMulticast(Optional<InetAddress> group, int port, int hops) {
        public static final SyncMulticast DEFAULT = new SyncMulticast(Optional.empty(), 0, 0);

        public SyncMulticast {
            Endpoint.checkPort(port);
            group.ifPresent(address -> {
                if (!address.isMulticastAddress()) {
                    throw new IllegalArgumentException(address.getHostAddress() + " is no multicast address");
                }
            });
            if (hops < 0 || hops > 255) {
                throw new IllegalArgumentException("hops " + hops);
            }
        }
    }
}
