// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The sync daemons of the fake kernel; attribute numbers are IPVS_DAEMON_ATTR_ of include/uapi/linux/ip_vs.h. */
final class FakeDaemons {
    private static final Octets GROUP = Octets.of((byte) 224, (byte) 0, (byte) 0, (byte) 81);
    private static final int PORT = 8848;
    /** An MTU of 1500 without the headers of IPv4 and UDP. */
    private static final int LENGTH = 1472;

    private final SortedMap<Integer, Octets> running = new TreeMap<>();

    boolean areRunning() {
        return !running.isEmpty();
    }

    /** The attributes of each, the master first. */
    List<Octets> all() {
        return new ArrayList<>(running.values());
    }

    void start(Request request) {
        int role = role(request);
        String interfaceName = request.name(2);
        int syncId = request.u32Host(3);
        Refusal.when(running.containsKey(role), Errno.EEXIST);
        running.put(
                role,
                new AttributeWriter()
                        .nested(
                                3,
                                out -> fill(
                                        out.u32Host(1, role)
                                                .text(2, interfaceName)
                                                .u32Host(3, syncId),
                                        request))
                        .toOctets());
    }

    void stop(Request request) {
        int role = role(request);
        Refusal.when(running.remove(role) == null, Errno.ESRCH);
    }

    private static int role(Request request) {
        int role = request.u32Host(1);
        Refusal.when(role != 1 && role != 2, Errno.EINVAL);
        return role;
    }

    private static void fill(AttributeWriter out, Request request) {
        out.u16Host(4, request.has(4) ? request.u16Host(4) : LENGTH)
                .u16Host(7, request.has(7) ? request.u16Host(7) : PORT)
                .octets(
                        8,
                        new OctetsWriter()
                                .u8(request.has(8) ? request.u8(8) : 1)
                                .toOctets());
        if (request.has(6)) {
            out.octets(6, request.octets(6));
        } else {
            out.octets(5, request.has(5) ? request.octets(5) : GROUP);
        }
    }
}
