// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import java.util.Optional;

/**
 * What the drivers of interfaces do for XDP (family netdev of Linux 6.3, Documentation/netlink/specs/netdev.yaml), in the
 * network namespace that the opening thread was in. Used by one thread at a time.
 */
public final class NetDevices implements AutoCloseable {
    private static final String FAMILY = "netdev";
    private static final int NETDEV_CMD_DEV_GET = 1;
    private static final int NETDEV_A_DEV_IFINDEX = 1;
    private static final int NETDEV_A_DEV_XDP_FEATURES = 3;
    private static final int NETDEV_XDP_ACT_NDO_XMIT = 4;

    private final GenericNetlink netlink;
    private final Optional<Family> family;

    private NetDevices(GenericNetlink netlink, Optional<Family> family) {
        this.netlink = netlink;
        this.family = family;
    }

    public static NetDevices open() {
        return over(GenericNetlink.open());
    }

    /** Takes the socket over: closing this, or failing here, closes it. */
    public static NetDevices over(GenericNetlink netlink) {
        try {
            return new NetDevices(netlink, netlink.family(FAMILY));
        } catch (RuntimeException failed) {
            netlink.close();
            throw failed;
        }
    }

    /**
     * Whether the interface sends a frame that a program on another interface redirects to it in native mode, as it is
     * now: a veth does so while its other end has an XDP program or GRO, some drivers while they have a program
     * themselves. Empty if the kernel does not say, being older than 6.3, or has no such interface.
     */
    public Optional<Boolean> takesRedirected(int interfaceIndex) {
        return family.flatMap(known -> features(known, interfaceIndex))
                .map(features -> (features & NETDEV_XDP_ACT_NDO_XMIT) != 0);
    }

    private Optional<Long> features(Family known, int interfaceIndex) {
        String operation = "get XDP features of interface " + interfaceIndex;
        AttributeWriter query = new AttributeWriter().u32Host(NETDEV_A_DEV_IFINDEX, interfaceIndex);
        try {
            return netlink.request(operation, known, NETDEV_CMD_DEV_GET, 0, query.toOctets()).stream()
                    .findFirst()
                    .flatMap(answer -> answer.attributes().find(NETDEV_A_DEV_XDP_FEATURES))
                    .map(features -> features.u64Host(0));
        } catch (NetlinkException failure) {
            if (failure.is(Errno.ENODEV)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    @Override
    public void close() {
        netlink.close();
    }
}
