// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.ipvs.Statistics;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A service of the fake kernel; attribute numbers are IPVS_SVC_ATTR_ of include/uapi/linux/ip_vs.h. */
final class FakeService {
    private static final int FLAG_HASHED = 2;

    final Key key;
    /** The first is the one added last. */
    final List<FakeDestination> destinations = new ArrayList<>();

    Statistics statistics = Statistics.ZERO;
    private String scheduler = "";
    private Optional<String> engine = Optional.empty();
    private int flags;
    private int timeout;
    private int netmask;

    /** What tells it from others: a mark, or protocol, address and port. */
    record Key(AddressFamily family, int mark, int protocol, Optional<InetAddress> address, int port) {
        static Key of(Request request) {
            AddressFamily family =
                    AddressFamily.ofNumber(request.u16Host(1)).orElseThrow(() -> new Refusal(Errno.EAFNOSUPPORT));
            if (request.has(5)) {
                return new Key(family, request.u32Host(5), 0, Optional.empty(), 0);
            }
            Octets address = request.octets(3);
            return new Key(
                    family,
                    0,
                    request.u16Host(2),
                    Optional.of(Request.refusing(
                            () -> address.slice(0, family.bits() / 8).toAddress())),
                    request.u16Network(4));
        }
    }

    FakeService(Key key) {
        this.key = key;
    }

    /** Takes the settings over, after the checks of ip_vs_add_service and ip_vs_edit_service. */
    void set(Request request, Set<String> schedulers, Set<String> engines) {
        String wantedScheduler = request.name(6);
        Octets bits = request.octets(7);
        int wantedTimeout = request.u32Host(8);
        int wantedNetmask = request.u32Host(9);
        Optional<String> wantedEngine = request.has(11) ? Optional.of(request.name(11)) : Optional.empty();
        Refusal.when(!wantedScheduler.equals("none") && !schedulers.contains(wantedScheduler), Errno.ENOENT);
        Refusal.when(wantedEngine.isPresent() && !engines.contains(wantedEngine.get()), Errno.ENOENT);
        Refusal.when(key.family() == AddressFamily.INET6 && (wantedNetmask < 1 || wantedNetmask > 128), Errno.EINVAL);
        int mask = Request.refusing(() -> bits.i32Host(4));
        flags = (flags & ~mask) | (bits.i32Host(0) & mask) | FLAG_HASHED;
        scheduler = wantedScheduler;
        engine = wantedEngine;
        timeout = wantedTimeout;
        netmask = wantedNetmask;
    }

    FakeDestination find(FakeDestination.Key wanted) {
        for (FakeDestination destination : destinations) {
            if (destination.key.equals(wanted)) {
                return destination;
            }
        }
        throw new Refusal(Errno.ENOENT);
    }

    boolean has(FakeDestination.Key wanted) {
        return destinations.stream().anyMatch(destination -> destination.key.equals(wanted));
    }

    boolean mixesFamilies() {
        return destinations.stream().anyMatch(destination -> destination.key.family() != key.family());
    }

    void zero() {
        statistics = Statistics.ZERO;
        destinations.forEach(destination -> destination.statistics = Statistics.ZERO);
    }

    Octets toAttributes() {
        return new AttributeWriter().nested(1, this::fill).toOctets();
    }

    private void fill(AttributeWriter out) {
        out.u16Host(1, key.family().number());
        key.address()
                .ifPresentOrElse(
                        address -> out.u16Host(2, key.protocol())
                                .octets(3, FakeDestination.padded(address))
                                .u16Network(4, key.port()),
                        () -> out.u32Host(5, key.mark()));
        out.text(6, scheduler);
        engine.ifPresent(name -> out.text(11, name));
        out.octets(7, new OctetsWriter().u32Host(flags).u32Host(-1).toOctets())
                .u32Host(8, timeout)
                .u32Host(9, netmask);
        Counters.write(out, 10, 12, statistics);
    }
}
