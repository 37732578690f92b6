// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;

/** IPVS_DEST_ATTR_ (ip_vs_genl_parse_dest and ip_vs_genl_fill_dest of net/netfilter/ipvs/ip_vs_ctl.c). */
final class DestinationAttributes {
    /** IPVS_CMD_ATTR_DEST, the nest of these. */
    static final int NEST = 2;

    private static final int ADDR = 1;
    private static final int PORT = 2;
    private static final int FWD_METHOD = 3;
    private static final int WEIGHT = 4;
    private static final int U_THRESH = 5;
    private static final int L_THRESH = 6;
    private static final int ACTIVE_CONNS = 7;
    private static final int INACT_CONNS = 8;
    private static final int PERSIST_CONNS = 9;
    private static final int STATS = 10;
    private static final int ADDR_FAMILY = 11;
    private static final int STATS64 = 12;
    private static final int TUN_TYPE = 13;
    private static final int TUN_PORT = 14;
    private static final int TUN_FLAGS = 15;

    private static final int FORWARDING_TUNNEL = 2;
    private static final int FORWARDING_MASK = 7;

    private DestinationAttributes() {}

    static void encode(AttributeWriter out, DestinationIdentity identity) {
        out.octets(ADDR, Endpoint.encode(identity.address()))
                .u16Network(PORT, identity.port())
                .u16Host(ADDR_FAMILY, identity.family().number());
    }

    static void encode(AttributeWriter out, Destination destination) {
        DestinationSettings settings = destination.settings();
        encode(out, destination.identity());
        if (settings.forwarding() instanceof PlainForwarding plain) {
            out.u32Host(FWD_METHOD, plain.number());
        } else if (settings.forwarding() instanceof Tunnel tunnel) {
            out.u32Host(FWD_METHOD, FORWARDING_TUNNEL)
                    .u8(TUN_TYPE, tunnel.type().number())
                    .u16Network(TUN_PORT, tunnel.port())
                    .u16Host(TUN_FLAGS, tunnel.checksum().bits());
        }
        out.u32Host(WEIGHT, settings.weight())
                .u32Host(U_THRESH, (int) settings.thresholds().upper())
                .u32Host(L_THRESH, (int) settings.thresholds().lower());
    }

    /** A kernel before 3.18 does not tell the family; it is the service's then. */
    static DestinationEntry decode(AttributeReader command, AddressFamily serviceFamily) {
        AttributeReader attributes = AttributeReader.of(command.require(NEST, "IPVS_CMD_ATTR_DEST"));
        AddressFamily family = attributes
                .find(ADDR_FAMILY)
                .map(value -> Endpoint.family(value.u16Host(0)))
                .orElse(serviceFamily);
        DestinationIdentity identity = new DestinationIdentity(
                Endpoint.decode(family, attributes.require(ADDR, "IPVS_DEST_ATTR_ADDR")),
                attributes.require(PORT, "IPVS_DEST_ATTR_PORT").u16Network(0));
        DestinationSettings settings = new DestinationSettings(
                attributes.require(WEIGHT, "IPVS_DEST_ATTR_WEIGHT").i32Host(0),
                decodeForwarding(attributes),
                new Thresholds(number(attributes, U_THRESH), number(attributes, L_THRESH)));
        return new DestinationEntry(
                new Destination(identity, settings),
                new Connections(
                        number(attributes, ACTIVE_CONNS),
                        number(attributes, INACT_CONNS),
                        number(attributes, PERSIST_CONNS)),
                StatisticsAttributes.decode(attributes, STATS64, STATS));
    }

    private static long number(AttributeReader attributes, int type) {
        return attributes.require(type, "IPVS_DEST_ATTR_ " + type).u32Host(0);
    }

    private static ForwardingMethod decodeForwarding(AttributeReader attributes) {
        int method = (int) number(attributes, FWD_METHOD) & FORWARDING_MASK;
        if (method == FORWARDING_TUNNEL) {
            return decodeTunnel(attributes);
        }
        for (PlainForwarding plain : PlainForwarding.values()) {
            if (plain.number() == method) {
                return plain;
            }
        }
        throw Endpoint.malformed("forwarding method " + method);
    }

    private static Tunnel decodeTunnel(AttributeReader attributes) {
        int number = attributes.find(TUN_TYPE).map(value -> value.u8(0)).orElse(0);
        int port = attributes.find(TUN_PORT).map(value -> value.u16Network(0)).orElse(0);
        int bits = attributes.find(TUN_FLAGS).map(value -> value.u16Host(0)).orElse(0);
        for (TunnelType type : TunnelType.values()) {
            if (type.number() == number) {
                // The kernel keeps a port that IPIP and GRE have no use for.
                return new Tunnel(type, type == TunnelType.GUE ? port : 0, checksum(bits));
            }
        }
        throw Endpoint.malformed("tunnel type " + number);
    }

    /** With both bits the kernel does the remote one. */
    private static TunnelChecksum checksum(int bits) {
        if ((bits & TunnelChecksum.REMOTE.bits()) != 0) {
            return TunnelChecksum.REMOTE;
        }
        return (bits & TunnelChecksum.CHECKSUM.bits()) != 0 ? TunnelChecksum.CHECKSUM : TunnelChecksum.NONE;
    }
}
