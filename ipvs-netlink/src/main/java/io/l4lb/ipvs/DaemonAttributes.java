// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.ipvs.SyncDaemon.SyncMulticast;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;
import java.util.Optional;

/** IPVS_DAEMON_ATTR_ (ip_vs_genl_new_daemon and ip_vs_genl_fill_daemon of net/netfilter/ipvs/ip_vs_ctl.c). */
final class DaemonAttributes {
    /** IPVS_CMD_ATTR_DAEMON, the nest of these. */
    private static final int NEST = 3;

    private static final int STATE = 1;
    private static final int MCAST_IFN = 2;
    private static final int SYNC_ID = 3;
    private static final int SYNC_MAXLEN = 4;
    private static final int MCAST_GROUP = 5;
    private static final int MCAST_GROUP6 = 6;
    /** In host byte order, other than all ports of IPVS. */
    private static final int MCAST_PORT = 7;

    private static final int MCAST_TTL = 8;

    private DaemonAttributes() {}

    static Octets encode(SyncRole role) {
        return new AttributeWriter()
                .nested(NEST, nest -> nest.u32Host(STATE, role.number()))
                .toOctets();
    }

    static Octets encode(SyncDaemon daemon) {
        return new AttributeWriter().nested(NEST, nest -> fill(nest, daemon)).toOctets();
    }

    private static void fill(AttributeWriter nest, SyncDaemon daemon) {
        nest.u32Host(STATE, daemon.role().number())
                .text(MCAST_IFN, daemon.interfaceName())
                .u32Host(SYNC_ID, daemon.syncId());
        if (daemon.maximumLength() != 0) {
            nest.u16Host(SYNC_MAXLEN, daemon.maximumLength());
        }
        SyncMulticast multicast = daemon.multicast();
        multicast
                .group()
                .ifPresent(group -> nest.address(
                        AddressFamily.of(group) == AddressFamily.INET ? MCAST_GROUP : MCAST_GROUP6, group));
        if (multicast.port() != 0) {
            nest.u16Host(MCAST_PORT, multicast.port());
        }
        if (multicast.hops() != 0) {
            nest.u8(MCAST_TTL, multicast.hops());
        }
    }

    static SyncDaemon decode(AttributeReader command) {
        AttributeReader attributes = AttributeReader.of(command.require(NEST, "IPVS_CMD_ATTR_DAEMON"));
        Optional<InetAddress> group = attributes
                .find(MCAST_GROUP)
                .or(() -> attributes.find(MCAST_GROUP6))
                .map(Octets::toAddress);
        return new SyncDaemon(
                role(attributes.require(STATE, "IPVS_DAEMON_ATTR_STATE").i32Host(0)),
                attributes.require(MCAST_IFN, "IPVS_DAEMON_ATTR_MCAST_IFN").toText(),
                attributes.require(SYNC_ID, "IPVS_DAEMON_ATTR_SYNC_ID").i32Host(0),
                attributes.find(SYNC_MAXLEN).map(value -> value.u16Host(0)).orElse(0),
                new SyncMulticast(
                        group,
                        attributes
                                .find(MCAST_PORT)
                                .map(value -> value.u16Host(0))
                                .orElse(0),
                        attributes.find(MCAST_TTL).map(value -> value.u8(0)).orElse(0)));
    }

    private static SyncRole role(int number) {
        for (SyncRole role : SyncRole.values()) {
            if (role.number() == number) {
                return role;
            }
        }
        throw Endpoint.malformed("sync daemon state " + number);
    }
}
