// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.Statistics;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.net.InetAddress;

/** A destination of the fake kernel; attribute numbers are IPVS_DEST_ATTR_ of include/uapi/linux/ip_vs.h. */
final class FakeDestination {
    private static final int FORWARDING_MASK = 7;
    private static final int FORWARDING_TUNNEL = 2;
    private static final int GUE = 1;

    final Key key;
    Connections connections = Connections.NONE;
    Statistics statistics = Statistics.ZERO;
    private int forwarding;
    private int weight;
    private int upper;
    private int lower;
    private int tunnelType;
    private int tunnelPort;
    private int tunnelFlags;

    /** What tells it from others: the address with its family, and the port. */
    record Key(InetAddress address, int port) {
        /** A family of 0, or none, is the service's. */
        static Key of(Request request, AddressFamily service) {
            Octets address = request.octets(1);
            int port = request.u16Network(2);
            int number = request.has(11) ? request.u16Host(11) : 0;
            AddressFamily family = number == 0
                    ? service
                    : AddressFamily.ofNumber(number).orElseThrow(() -> new Refusal(Errno.EAFNOSUPPORT));
            return new Key(
                    Request.refusing(() -> address.slice(0, family.bits() / 8).toAddress()), port);
        }

        AddressFamily family() {
            return AddressFamily.of(address);
        }
    }

    FakeDestination(Key key) {
        this.key = key;
    }

    /** Takes the settings over, after the checks of ip_vs_add_dest and ip_vs_edit_dest. */
    void set(Request request) {
        int wantedWeight = request.u32Host(4);
        int wantedUpper = request.u32Host(5);
        int wantedLower = request.u32Host(6);
        int wantedType = request.has(13) ? request.u8(13) : 0;
        int wantedPort = request.has(14) ? request.u16Network(14) : 0;
        Refusal.when(wantedWeight < 0, Errno.ERANGE);
        Refusal.when(Integer.compareUnsigned(wantedLower, wantedUpper) > 0, Errno.ERANGE);
        // Seen on Linux 6.1.
        Refusal.when(wantedUpper < 0, Errno.EINVAL);
        Refusal.when(wantedType == GUE && wantedPort == 0, Errno.EINVAL);
        forwarding = request.u32Host(3) & FORWARDING_MASK;
        weight = wantedWeight;
        upper = wantedUpper;
        lower = wantedLower;
        tunnelType = wantedType;
        tunnelPort = wantedPort;
        tunnelFlags = request.has(15) ? request.u16Host(15) : 0;
    }

    static boolean tunnels(Request request) {
        return (request.u32Host(3) & FORWARDING_MASK) == FORWARDING_TUNNEL;
    }

    Octets toAttributes() {
        return new AttributeWriter().nested(2, this::fill).toOctets();
    }

    private void fill(AttributeWriter out) {
        out.octets(1, padded(key.address()))
                .u16Network(2, key.port())
                .u32Host(3, forwarding)
                .u32Host(4, weight)
                .u8(13, tunnelType)
                .u16Network(14, tunnelPort)
                .u16Host(15, tunnelFlags)
                .u32Host(5, upper)
                .u32Host(6, lower)
                .u32Host(7, (int) connections.active())
                .u32Host(8, (int) connections.inactive())
                .u32Host(9, (int) connections.persistent())
                .u16Host(11, key.family().number());
        Counters.write(out, 10, 12, statistics);
    }

    static Octets padded(InetAddress address) {
        Octets octets = Octets.of(address);
        return new OctetsWriter().octets(octets).zeros(16 - octets.length()).toOctets();
    }
}
