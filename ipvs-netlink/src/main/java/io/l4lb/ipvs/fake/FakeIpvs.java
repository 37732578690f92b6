// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.Statistics;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.fake.FakeTransport;
import io.l4lb.netlink.generic.GenericNetlink;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An IPVS in memory that answers as the kernel does (Linux 6.1), also with errors, and keeps destinations in the order of
 * its list. It forwards nothing: counters are what a test sets. Several clients may share it, on any threads.
 */
public final class FakeIpvs {
    private final Set<String> schedulers = new HashSet<>(
            Set.of("rr", "wrr", "lc", "wlc", "lblc", "lblcr", "dh", "sh", "sed", "nq", "fo", "ovf", "mh", "twos"));
    private final FakeTable table = new FakeTable(schedulers);
    private final List<Integer> commands = new ArrayList<>();
    private final Deque<Errno> failures = new ArrayDeque<>();
    private boolean silentStops;

    /** A client of its own; close it as any other. */
    public IpvsClient client() {
        return IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(transport())));
    }

    /** What a client speaks over; it counts the datagrams sent. */
    public FakeTransport transport() {
        return new FakeTransport(this::answer);
    }

    /** The commands (IPVS_CMD_ of include/uapi/linux/ip_vs.h) that came so far, one for each message. */
    public synchronized List<Integer> commands() {
        return List.copyOf(commands);
    }

    /** From now on the kernel has no such scheduler; services that have it keep it. */
    public synchronized void removeScheduler(String name) {
        schedulers.remove(name);
    }

    /** The next command that changes something fails; several calls, several commands. */
    public synchronized void failNext(Errno errno) {
        failures.add(errno);
    }

    /** From now on a sync daemon that stops is not acknowledged, as one whose thread has not run yet. */
    public synchronized void stopDaemonsSilently() {
        silentStops = true;
    }

    /** Sets a service's counters. */
    public synchronized void count(ServiceIdentity service, Statistics statistics) {
        table.find(key(service)).statistics = statistics;
    }

    /** Sets a destination's counters. */
    public synchronized void count(
            ServiceIdentity service, DestinationIdentity destination, Connections connections, Statistics statistics) {
        FakeDestination found =
                table.find(key(service)).find(new FakeDestination.Key(destination.address(), destination.port()));
        found.connections = connections;
        found.statistics = statistics;
    }

    private static FakeService.Key key(ServiceIdentity identity) {
        if (identity instanceof VirtualAddress virtual) {
            return new FakeService.Key(
                    virtual.family(), 0, virtual.protocol(), Optional.of(virtual.address()), virtual.port());
        }
        int mark = ((FirewallMark) identity).mark();
        return new FakeService.Key(identity.family(), mark, 0, Optional.empty(), 0);
    }

    private synchronized List<Octets> answer(NetlinkMessage request) {
        Reply reply = new Reply(request);
        try {
            if (request.type() == Reply.CONTROL) {
                return reply.family();
            }
            Refusal.when(request.type() != Reply.FAMILY, Errno.ENOENT);
            int command = Request.refusing(() -> request.payload().u8(0));
            commands.add(command);
            Request attributes =
                    Request.of(Request.refusing(() -> request.payload().from(4)));
            return command(reply, command, attributes);
        } catch (Refusal refusal) {
            return reply.refusal(refusal.errno().number());
        }
    }

    private List<Octets> command(Reply reply, int command, Request attributes) {
        return switch (command) {
            case 4 ->
                reply.isDump()
                        ? reply.dump(1, table.services())
                        : reply.one(
                                1,
                                table.find(FakeService.Key.of(attributes.nest(1)))
                                        .toAttributes());
            case 8 -> reply.dump(5, table.destinations(attributes));
            case 11 -> reply.dump(9, table.daemons());
            case 13 -> reply.one(12, table.timeouts());
            case 15 -> reply.one(14, FakeTable.info());
            default -> {
                if (!failures.isEmpty()) {
                    throw new Refusal(failures.remove());
                }
                table.change(command, attributes);
                yield silentStops && command == 10 ? List.of() : reply.success();
            }
        };
    }
}
