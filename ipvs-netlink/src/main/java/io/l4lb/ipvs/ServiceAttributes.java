// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.time.Duration;
import java.util.Optional;

/** IPVS_SVC_ATTR_ (ip_vs_genl_parse_service and ip_vs_genl_fill_service of net/netfilter/ipvs/ip_vs_ctl.c). */
final class ServiceAttributes {
    /** IPVS_CMD_ATTR_SERVICE, the nest of these. */
    static final int NEST = 1;

    private static final int AF = 1;
    private static final int PROTOCOL = 2;
    private static final int ADDR = 3;
    private static final int PORT = 4;
    private static final int FWMARK = 5;
    private static final int SCHED_NAME = 6;
    private static final int FLAGS = 7;
    private static final int TIMEOUT = 8;
    private static final int NETMASK = 9;
    private static final int STATS = 10;
    private static final int PE_NAME = 11;
    private static final int STATS64 = 12;

    private ServiceAttributes() {}

    static void encode(AttributeWriter out, ServiceIdentity identity) {
        out.u16Host(AF, identity.family().number());
        if (identity instanceof FirewallMark mark) {
            out.u32Host(FWMARK, mark.mark());
        } else if (identity instanceof VirtualAddress virtual) {
            out.u16Host(PROTOCOL, virtual.protocol())
                    .octets(ADDR, Endpoint.encode(virtual.address()))
                    .u16Network(PORT, virtual.port());
        }
    }

    static void encode(AttributeWriter out, Service service) {
        ServiceSettings settings = service.settings();
        encode(out, service.identity());
        out.text(SCHED_NAME, settings.scheduler());
        settings.persistenceEngine().ifPresent(name -> out.text(PE_NAME, name));
        int bits =
                ServiceFlag.bits(settings.flags()) | (settings.persistence().isPresent() ? ServiceFlag.PERSISTENT : 0);
        // The kernel keeps those bits of before that the mask leaves out.
        out.octets(
                FLAGS,
                new OctetsWriter().u32Host(bits).u32Host(ServiceFlag.known()).toOctets());
        AddressFamily family = service.identity().family();
        out.u32Host(
                TIMEOUT,
                settings.persistence()
                        .map(persistence -> (int) persistence.timeout().toSeconds())
                        .orElse(0));
        // Without persistence the kernel still wants 1 to 128 for IPv6.
        int length = settings.persistence().map(Persistence::maskLength).orElse(family.bits());
        out.octets(NETMASK, encodeMask(family, length));
    }

    static ServiceEntry decode(AttributeReader command) {
        AttributeReader attributes = AttributeReader.of(command.require(NEST, "IPVS_CMD_ATTR_SERVICE"));
        ServiceIdentity identity = decodeIdentity(attributes);
        int flags = attributes.require(FLAGS, "IPVS_SVC_ATTR_FLAGS").i32Host(0);
        ServiceSettings settings = new ServiceSettings(
                attributes.require(SCHED_NAME, "IPVS_SVC_ATTR_SCHED_NAME").toText(),
                ServiceFlag.of(flags),
                (flags & ServiceFlag.PERSISTENT) == 0
                        ? Optional.empty()
                        : Optional.of(decodePersistence(identity.family(), attributes)),
                attributes.find(PE_NAME).map(Octets::toText));
        return new ServiceEntry(
                new Service(identity, settings),
                StatisticsAttributes.decode(attributes, STATS64, STATS),
                flags & ~(ServiceFlag.known() | ServiceFlag.HASHED));
    }

    private static ServiceIdentity decodeIdentity(AttributeReader attributes) {
        AddressFamily family =
                Endpoint.family(attributes.require(AF, "IPVS_SVC_ATTR_AF").u16Host(0));
        Optional<Octets> mark = attributes.find(FWMARK);
        if (mark.isPresent()) {
            return new FirewallMark(mark.get().i32Host(0), family);
        }
        return new VirtualAddress(
                Endpoint.decode(family, attributes.require(ADDR, "IPVS_SVC_ATTR_ADDR")),
                attributes.require(PROTOCOL, "IPVS_SVC_ATTR_PROTOCOL").u16Host(0),
                attributes.require(PORT, "IPVS_SVC_ATTR_PORT").u16Network(0));
    }

    private static Persistence decodePersistence(AddressFamily family, AttributeReader attributes) {
        Octets mask = attributes.require(NETMASK, "IPVS_SVC_ATTR_NETMASK");
        int length = family == AddressFamily.INET
                ? Integer.numberOfLeadingZeros(~(int) mask.u32Network(0))
                : mask.i32Host(0);
        return new Persistence(
                Duration.ofSeconds(
                        attributes.require(TIMEOUT, "IPVS_SVC_ATTR_TIMEOUT").u32Host(0)),
                length);
    }

    private static Octets encodeMask(AddressFamily family, int length) {
        if (family == AddressFamily.INET6) {
            return new OctetsWriter().u32Host(length).toOctets();
        }
        int mask = length == 0 ? 0 : -1 << (32 - length);
        return new OctetsWriter().u16Network(mask >>> 16).u16Network(mask).toOctets();
    }
}
