// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static io.l4lb.ipvs.Samples.MARK;
import static io.l4lb.ipvs.Samples.MARK6;
import static io.l4lb.ipvs.Samples.METHODS;
import static io.l4lb.ipvs.Samples.REAL;
import static io.l4lb.ipvs.Samples.REAL6;
import static io.l4lb.ipvs.Samples.SERVICES;
import static io.l4lb.ipvs.Samples.WEB;
import static io.l4lb.ipvs.Samples.WEB6;
import static io.l4lb.ipvs.Samples.address;
import static io.l4lb.ipvs.Samples.destination;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.ipvs.SyncDaemon.SyncMulticast;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What the kernel's IPVS and the fake of it have in common. Its interface sync0 can do multicast. */
abstract class IpvsContract {
    static final String INTERFACE = "sync0";
    private static final Destination PLAIN =
            new Destination(REAL, DestinationSettings.of(1, PlainForwarding.DIRECT_ROUTE));

    @SuppressWarnings("NullAway.Init") // JUnit calls start() first
    private IpvsClient ipvs;

    /** Of an empty IPVS. */
    abstract IpvsClient open();

    @BeforeEach
    final void start() {
        ipvs = open();
    }

    @AfterEach
    final void stop() {
        // Null where start() skipped the test.
        if (ipvs != null) {
            ipvs.close();
        }
    }

    @Test
    void emptyDumpsAreEmptyLists() {
        assertEquals(List.of(), ipvs.services());
        assertEquals(List.of(), ipvs.destinations(WEB));
        assertEquals(List.of(), ipvs.daemons());
        assertEquals(Optional.empty(), ipvs.service(WEB));
    }

    @Test
    void servicesOfEveryKindComeBackAsTheyWereAdded() {
        SERVICES.forEach(ipvs::addService);
        List<ServiceEntry> entries = ipvs.services();
        Set<ServiceEntry> wanted = new HashSet<>();
        SERVICES.forEach(service -> wanted.add(new ServiceEntry(service, Statistics.ZERO)));
        assertEquals(wanted, new HashSet<>(entries));
        assertEquals(SERVICES.size(), entries.size());
        for (Service service : SERVICES) {
            assertEquals(Optional.of(new ServiceEntry(service, Statistics.ZERO)), ipvs.service(service.identity()));
        }
        assertEquals(
                Set.of(MARK, MARK6),
                Set.of(
                        entries.get(5).service().identity(),
                        entries.get(6).service().identity()));
    }

    @Test
    void editReplacesAllSettingsAndKeepsDestinations() {
        for (Service service : SERVICES) {
            ipvs.addService(new Service(
                    service.identity(),
                    new ServiceSettings(
                            "wlc",
                            Set.of(ServiceFlag.SCHEDULER_1, ServiceFlag.ONE_PACKET),
                            Optional.of(new Persistence(Duration.ofSeconds(7), 8)),
                            Optional.empty())));
        }
        ipvs.addDestination(WEB, PLAIN);
        SERVICES.forEach(ipvs::editService);
        for (Service service : SERVICES) {
            assertEquals(service, ipvs.service(service.identity()).orElseThrow().service());
        }
        assertEquals(1, ipvs.destinations(WEB).size());
    }

    @Test
    void whatIsThereIsNotAddedAgain() {
        ipvs.addService(SERVICES.get(0));
        ipvs.addDestination(WEB, PLAIN);
        fails("add service tcp 192.0.2.10:80: EEXIST", () -> ipvs.addService(SERVICES.get(0)));
        fails("add destination 10.0.0.1:80 to tcp 192.0.2.10:80: EEXIST", () -> ipvs.addDestination(WEB, PLAIN));
    }

    @Test
    void whatIsNotThereIsNamed() {
        fails("edit service tcp 192.0.2.10:80: ESRCH", () -> ipvs.editService(SERVICES.get(0)));
        fails("delete service mark 2147483653: ESRCH", () -> ipvs.deleteService(MARK));
        fails("zero service mark 2147483653 of IPv6: ESRCH", () -> ipvs.zero(MARK6));
        fails("add destination 10.0.0.1:80 to tcp 192.0.2.10:80: ESRCH", () -> ipvs.addDestination(WEB, PLAIN));
        ipvs.addService(SERVICES.get(0));
        fails("edit destination 10.0.0.1:80 of tcp 192.0.2.10:80: ENOENT", () -> ipvs.editDestination(WEB, PLAIN));
        fails("delete destination 10.0.0.1:80 of tcp 192.0.2.10:80: ENOENT", () -> ipvs.deleteDestination(WEB, REAL));
    }

    @Test
    void aMissingModuleIsNamed() {
        Service unknown = new Service(WEB, ServiceSettings.of("nosuch"));
        String message = "service tcp 192.0.2.10:80: ENOENT (kernel module ip_vs_nosuch is missing)";
        NetlinkException failure = assertThrows(NetlinkUnsupportedException.class, () -> ipvs.addService(unknown));
        assertEquals("add " + message, failure.getMessage());
        ipvs.addService(SERVICES.get(0));
        fails("edit " + message, () -> ipvs.editService(unknown));
        Service engine = new Service(WEB6, new ServiceSettings("rr", Set.of(), Optional.empty(), Optional.of("odd")));
        fails(
                "add service " + WEB6 + ": ENOENT (kernel module ip_vs_rr or ip_vs_pe_odd is missing)",
                () -> ipvs.addService(engine));
    }

    @Test
    void destinationsOfEveryKindComeBackInReverse() {
        ipvs.addService(SERVICES.get(0));
        List<Destination> added = new ArrayList<>();
        for (ForwardingMethod method : METHODS) {
            added.add(new Destination(
                    new DestinationIdentity(address("10.0.0." + (added.size() + 1)), 8000 + added.size()),
                    new DestinationSettings(added.size(), method, new Thresholds(Integer.MAX_VALUE, added.size()))));
        }
        added.add(destination("10.1.0.1", 0, Integer.MAX_VALUE, Tunnel.IPIP));
        added.add(destination("2001:db8:1::1", 80, 1, Tunnel.IPIP));
        added.forEach(destination -> ipvs.addDestination(WEB, destination));
        Collections.reverse(added);
        List<DestinationEntry> wanted = new ArrayList<>();
        added.forEach(destination -> wanted.add(new DestinationEntry(destination, Connections.NONE, Statistics.ZERO)));
        assertEquals(wanted, ipvs.destinations(WEB));
    }

    @Test
    void editedDestinationsKeepTheirPlace() {
        ipvs.addService(SERVICES.get(1));
        Destination other = destination("10.0.0.2", 443, 5, Tunnel.IPIP);
        Destination real = new Destination(REAL6, DestinationSettings.of(1, PlainForwarding.MASQUERADE));
        ipvs.addDestination(WEB6, real);
        ipvs.addDestination(WEB6, other);
        Destination edited = new Destination(
                REAL6, new DestinationSettings(0, Tunnel.gue(6080, TunnelChecksum.CHECKSUM), new Thresholds(10, 5)));
        ipvs.editDestination(WEB6, edited);
        assertEquals(List.of(other, edited), destinations(WEB6));
        ipvs.deleteDestination(WEB6, other.identity());
        ipvs.editDestination(WEB6, real);
        assertEquals(List.of(real), destinations(WEB6));
    }

    @Test
    void destinationsOfMarksAndAnotherPortAreTheirOwn() {
        ipvs.addService(SERVICES.get(5));
        ipvs.addDestination(MARK, destination("10.0.0.1", 0, 1, Tunnel.IPIP));
        ipvs.addDestination(MARK, destination("10.0.0.1", 81, 1, Tunnel.IPIP));
        assertEquals(2, ipvs.destinations(MARK).size());
        ipvs.deleteService(MARK);
        assertEquals(List.of(), ipvs.services());
        assertEquals(List.of(), ipvs.destinations(MARK));
    }

    @Test
    void theOtherFamilyTakesATunnel() {
        ipvs.addService(SERVICES.get(0));
        Destination routed = new Destination(REAL6, DestinationSettings.of(1, PlainForwarding.DIRECT_ROUTE));
        fails("add destination " + REAL6 + " to " + WEB + ": EINVAL", () -> ipvs.addDestination(WEB, routed));
    }

    @Test
    void anAddressThatTakesNoPacketsIsRefused() {
        ipvs.addService(SERVICES.get(0));
        ipvs.addService(SERVICES.get(1));
        for (String odd : List.of("224.0.0.1", "255.255.255.255")) {
            errno("EINVAL", () -> ipvs.addDestination(WEB, destination(odd, 80, 1, Tunnel.IPIP)));
        }
        for (String odd : List.of("ff02::1", "fe80::1")) {
            errno("EINVAL", () -> ipvs.addDestination(WEB6, destination(odd, 80, 1, Tunnel.IPIP)));
        }
    }

    @Test
    void aPipelineGoesOnAfterAFailure() {
        List<IpvsChange> changes = new ArrayList<>();
        changes.add(new IpvsChange.AddService(SERVICES.get(0)));
        for (int i = 0; i < 300; i++) {
            Destination destination = destination("10.0." + i / 250 + "." + (i % 250 + 1), 80, i, Tunnel.IPIP);
            changes.add(new IpvsChange.AddDestination(i % 100 == 50 ? WEB6 : WEB, destination));
        }
        changes.add(new IpvsChange.DeleteDestination(WEB, new DestinationIdentity(address("10.0.0.1"), 80)));
        List<Optional<NetlinkException>> outcomes = ipvs.apply(changes);
        assertEquals(302, outcomes.size());
        for (int i = 0; i < outcomes.size(); i++) {
            Optional<String> wanted =
                    i % 100 == 51 && i < 301 ? Optional.of(changes.get(i).operation() + ": ESRCH") : Optional.empty();
            assertEquals(wanted, outcomes.get(i).map(NetlinkException::getMessage));
        }
        List<Destination> there = destinations(WEB);
        assertEquals(296, there.size());
        assertEquals(299, there.get(0).settings().weight());
        assertEquals(List.of(), ipvs.apply(List.of()));
    }

    @Test
    void longDumpsAndFlush() {
        List<IpvsChange> changes = new ArrayList<>();
        for (int port = 1; port <= 700; port++) {
            VirtualAddress identity = new VirtualAddress(address("192.0.2.1"), VirtualAddress.TCP, port);
            changes.add(new IpvsChange.AddService(new Service(identity, ServiceSettings.of("rr"))));
        }
        assertEquals(Collections.nCopies(700, Optional.empty()), ipvs.apply(changes));
        Set<ServiceIdentity> seen = new HashSet<>();
        ipvs.services().forEach(entry -> seen.add(entry.service().identity()));
        assertEquals(700, seen.size());
        ipvs.flush();
        assertEquals(List.of(), ipvs.services());
    }

    @Test
    void zeroIsForOneOrAll() {
        ipvs.addService(SERVICES.get(0));
        ipvs.zero(WEB);
        ipvs.zero();
        assertEquals(Statistics.ZERO, ipvs.service(WEB).orElseThrow().statistics());
    }

    @Test
    void timeoutsThatAreZeroStay() {
        assertEquals(timeouts(900, 120, 300), ipvs.timeouts());
        ipvs.setTimeouts(timeouts(0, 33, 44));
        assertEquals(timeouts(900, 33, 44), ipvs.timeouts());
        errno("EINVAL", () -> ipvs.setTimeouts(timeouts(Integer.MAX_VALUE, 0, 0)));
        assertEquals(timeouts(900, 33, 44), ipvs.timeouts());
    }

    @Test
    void oneDaemonOfEachRole() {
        SyncDaemon master = new SyncDaemon(
                SyncRole.MASTER, INTERFACE, 7, 1400, new SyncMulticast(Optional.of(address("224.0.0.99")), 8900, 3));
        SyncDaemon backup = new SyncDaemon(
                SyncRole.BACKUP, INTERFACE, 255, 1300, new SyncMulticast(Optional.of(address("ff02::99")), 8901, 4));
        ipvs.startDaemon(backup);
        ipvs.startDaemon(master);
        assertEquals(List.of(master, backup), ipvs.daemons());
        fails("start sync daemon MASTER on sync0: EEXIST", () -> ipvs.startDaemon(master));
        ipvs.stopDaemon(SyncRole.MASTER);
        assertEquals(List.of(backup), ipvs.daemons());
        fails("stop sync daemon MASTER: ESRCH", () -> ipvs.stopDaemon(SyncRole.MASTER));
        ipvs.stopDaemon(SyncRole.BACKUP);
    }

    @Test
    void aDaemonByDefault() {
        ipvs.startDaemon(SyncDaemon.of(SyncRole.MASTER, INTERFACE, 0));
        SyncMulticast multicast = new SyncMulticast(Optional.of(address("224.0.0.81")), 8848, 1);
        assertEquals(List.of(new SyncDaemon(SyncRole.MASTER, INTERFACE, 0, 1472, multicast)), ipvs.daemons());
        ipvs.addService(SERVICES.get(0));
        Destination mixed = new Destination(REAL6, DestinationSettings.of(1, Tunnel.IPIP));
        errno("EINVAL", () -> ipvs.addDestination(WEB, mixed));
        ipvs.stopDaemon(SyncRole.MASTER);
        ipvs.addDestination(WEB, mixed);
        errno("EINVAL", () -> ipvs.startDaemon(SyncDaemon.of(SyncRole.MASTER, INTERFACE, 0)));
    }

    @Test
    void infoIsThere() {
        assertEquals("1.2.1", ipvs.info().version());
    }

    private List<Destination> destinations(ServiceIdentity service) {
        return ipvs.destinations(service).stream()
                .map(DestinationEntry::destination)
                .toList();
    }

    private static Timeouts timeouts(int tcp, int tcpFin, int udp) {
        return new Timeouts(Duration.ofSeconds(tcp), Duration.ofSeconds(tcpFin), Duration.ofSeconds(udp));
    }

    private static void fails(String message, Executable code) {
        assertEquals(message, assertThrows(NetlinkException.class, code).getMessage());
    }

    private static void errno(String name, Executable code) {
        assertEquals(name, assertThrows(NetlinkException.class, code).errno());
    }
}
