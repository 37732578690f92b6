// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.generic.Family;
import io.l4lb.netlink.generic.GenericMessage;
import io.l4lb.netlink.generic.GenericNetlink;
import io.l4lb.netlink.generic.GenericRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * IPVS of the network namespace that the opening thread was in. Used by one thread at a time; needs CAP_NET_ADMIN.
 *
 * <p>Every method throws {@link NetlinkException} with the kernel's error: EPERM without the privilege, and what the records
 * of {@link IpvsChange} say. What cannot be decoded is EBADMSG.
 */
public final class IpvsClient implements AutoCloseable {
    private static final String FAMILY = "IPVS";
    private static final int DUMP_ATTEMPTS = 10;

    private final GenericNetlink netlink;
    private final Family family;

    private IpvsClient(GenericNetlink netlink, Family family) {
        this.netlink = netlink;
        this.family = family;
    }

    /**
     * Opens a socket and finds IPVS.
     *
     * @throws NetlinkUnsupportedException if the kernel has no IPVS loaded
     */
    public static IpvsClient open() {
        return over(GenericNetlink.open());
    }

    /** Takes the socket over: closing this, or failing here, closes it. */
    public static IpvsClient over(GenericNetlink netlink) {
        try {
            Family family = netlink.family(FAMILY)
                    .orElseThrow(() -> new NetlinkUnsupportedException(
                            "open IPVS", Errno.ENOENT, "kernel module ip_vs is not loaded (modprobe ip_vs)"));
            return new IpvsClient(netlink, family);
        } catch (RuntimeException failed) {
            netlink.close();
            throw failed;
        }
    }

    public IpvsInfo info() {
        return IpvsInfo.decode(ask("get IPVS info", Command.GET_INFO, Octets.EMPTY));
    }

    /**
     * All services: those by address first, then those by mark, otherwise in no order.
     *
     * <p>IPVS never says that a dump was interrupted. One with an entry twice was, and is done again; but where somebody else
     * deletes in the middle of a dump that is longer than a datagram (about 80 services or destinations), one that stays may
     * be missing. Without other writers a list is right; with them, look again before adding what seems to be missing, or
     * take EEXIST for what it says.
     */
    public List<ServiceEntry> services() {
        return dump(
                "list services", Command.GET_SERVICE, Octets.EMPTY, ServiceAttributes::decode, entry -> entry.service()
                        .identity());
    }

    /** One service; empty if there is none. */
    public Optional<ServiceEntry> service(ServiceIdentity identity) {
        String operation = "get service " + identity;
        try {
            AttributeReader answer = ask(operation, Command.GET_SERVICE, encode(identity));
            return Optional.of(decoded(operation, ServiceAttributes::decode, answer));
        } catch (NetlinkException failure) {
            if (failure.is(Errno.ESRCH)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /**
     * The destinations of a service in the order of the kernel's list, which is the reverse of the order that they were added
     * in. For a service that does not exist the kernel gives an empty list. For interrupted dumps see {@link #services}.
     */
    public List<DestinationEntry> destinations(ServiceIdentity service) {
        return dump(
                "list destinations of " + service,
                Command.GET_DEST,
                encode(service),
                attributes -> DestinationAttributes.decode(attributes, service.family()),
                entry -> entry.destination().identity());
    }

    public void addService(Service service) {
        apply(new IpvsChange.AddService(service));
    }

    public void editService(Service service) {
        apply(new IpvsChange.EditService(service));
    }

    public void deleteService(ServiceIdentity service) {
        apply(new IpvsChange.DeleteService(service));
    }

    public void addDestination(ServiceIdentity service, Destination destination) {
        apply(new IpvsChange.AddDestination(service, destination));
    }

    public void editDestination(ServiceIdentity service, Destination destination) {
        apply(new IpvsChange.EditDestination(service, destination));
    }

    public void deleteDestination(ServiceIdentity service, DestinationIdentity destination) {
        apply(new IpvsChange.DeleteDestination(service, destination));
    }

    /** Sets the counters of a service and its destinations to zero. */
    public void zero(ServiceIdentity service) {
        apply(new IpvsChange.ZeroService(service));
    }

    /** Carries out one change, or throws. */
    public void apply(IpvsChange change) {
        check(apply(List.of(change)).get(0));
    }

    /**
     * Carries out changes in their order, many in a datagram. A failure does not stop those after it, since the kernel goes
     * on with the rest of a datagram; who wants to stop there applies one at a time.
     *
     * @return for each change its failure, or empty; as many as changes
     * @throws NetlinkException if answers were lost (ENOBUFS) or never came (ETIMEDOUT): what is done is unknown then, and a
     *     new look at services and destinations tells
     */
    public List<Optional<NetlinkException>> apply(List<IpvsChange> changes) {
        List<GenericRequest> requests = new ArrayList<>();
        for (IpvsChange change : changes) {
            requests.add(new GenericRequest(change.operation(), change.command(), change.attributes()));
        }
        List<Optional<NetlinkException>> outcomes = new ArrayList<>(netlink.pipeline(family, requests));
        for (int i = 0; i < outcomes.size(); i++) {
            IpvsChange change = changes.get(i);
            outcomes.set(i, outcomes.get(i).map(failure -> explained(change, failure)));
        }
        return List.copyOf(outcomes);
    }

    /** Deletes all services, also those of others. */
    public void flush() {
        tell("flush services", Command.FLUSH, Octets.EMPTY);
    }

    /** Sets all counters to zero. */
    public void zero() {
        tell("zero all counters", Command.ZERO, Octets.EMPTY);
    }

    public Timeouts timeouts() {
        String operation = "get timeouts";
        return decoded(operation, Timeouts::decode, ask(operation, Command.GET_CONFIG, Octets.EMPTY));
    }

    /** Those that are 0 stay as they are. EINVAL if one is too long for the kernel (2^31-1 of its ticks). */
    public void setTimeouts(Timeouts timeouts) {
        tell("set timeouts", Command.SET_CONFIG, timeouts.encode());
    }

    /** Those that run, the master first. */
    public List<SyncDaemon> daemons() {
        return dump("list sync daemons", Command.GET_DAEMON, Octets.EMPTY, DaemonAttributes::decode, SyncDaemon::role);
    }

    /**
     * Starts a sync daemon.
     *
     * @throws NetlinkException EEXIST if one of that role runs, ENODEV without the interface, EINVAL while a destination is of
     *     another family than its service
     */
    public void startDaemon(SyncDaemon daemon) {
        String operation = "start sync daemon " + daemon.role() + " on " + daemon.interfaceName();
        tell(operation, Command.NEW_DAEMON, DaemonAttributes.encode(daemon));
    }

    /**
     * Stops a sync daemon.
     *
     * <p>One whose thread has not run since it was started is stopped without any answer: kthread_stop returns EINTR then, and
     * netlink_rcv_skb acknowledges all but that. So a question goes along, whose answer says that the command is done.
     *
     * @throws NetlinkException ESRCH if none of that role runs
     */
    public void stopDaemon(SyncRole role) {
        String operation = "stop sync daemon " + role;
        GenericRequest stop = new GenericRequest(operation, Command.DEL_DAEMON, DaemonAttributes.encode(role));
        GenericRequest question = new GenericRequest(operation, Command.GET_INFO, Octets.EMPTY);
        check(netlink.pipeline(family, List.of(stop, question)).get(0));
    }

    @Override
    public void close() {
        netlink.close();
    }

    private static void check(Optional<NetlinkException> failure) {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    private void tell(String operation, int command, Octets attributes) {
        netlink.request(operation, family, command, 0, attributes);
    }

    private AttributeReader ask(String operation, int command, Octets attributes) {
        List<GenericMessage> answers = netlink.request(operation, family, command, 0, attributes);
        if (answers.isEmpty()) {
            throw new NetlinkException(operation, Errno.EBADMSG, "acknowledged without an answer");
        }
        return answers.get(0).attributes();
    }

    private <T, K> List<T> dump(
            String operation, int command, Octets attributes, Function<AttributeReader, T> decode, Function<T, K> key) {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            List<T> entries = new ArrayList<>();
            Set<K> seen = new HashSet<>();
            for (GenericMessage message : netlink.dump(operation, family, command, attributes)) {
                T entry = decoded(operation, decode, message.attributes());
                entries.add(entry);
                seen.add(key.apply(entry));
            }
            // The kernel counts places in its lists: an insertion in the middle of a dump gives an entry twice.
            if (seen.size() == entries.size()) {
                return List.copyOf(entries);
            }
        }
        throw new NetlinkException(operation, Errno.EINTR, "changed during " + DUMP_ATTEMPTS + " dumps in a row");
    }

    private static <T> T decoded(String operation, Function<AttributeReader, T> decode, AttributeReader attributes) {
        try {
            return decode.apply(attributes);
        } catch (IllegalArgumentException outOfRange) {
            throw new NetlinkException(operation, Errno.EBADMSG, String.valueOf(outOfRange.getMessage()));
        }
    }

    private static Octets encode(ServiceIdentity service) {
        return new AttributeWriter()
                .nested(ServiceAttributes.NEST, nest -> ServiceAttributes.encode(nest, service))
                .toOctets();
    }

    /** For a service ENOENT means a scheduler or persistence engine that the kernel neither has nor can load. */
    private static NetlinkException explained(IpvsChange change, NetlinkException failure) {
        if (!failure.is(Errno.ENOENT)) {
            return failure;
        }
        ServiceSettings settings;
        if (change instanceof IpvsChange.AddService add) {
            settings = add.added().settings();
        } else if (change instanceof IpvsChange.EditService edit) {
            settings = edit.edited().settings();
        } else {
            return failure;
        }
        String engine =
                settings.persistenceEngine().map(name -> " or ip_vs_pe_" + name).orElse("");
        return new NetlinkUnsupportedException(
                failure.operation(),
                Errno.ENOENT,
                "kernel module ip_vs_" + settings.scheduler() + engine + " is missing");
    }
}
