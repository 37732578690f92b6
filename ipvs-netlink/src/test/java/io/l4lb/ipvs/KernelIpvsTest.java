// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import static io.l4lb.ipvs.Samples.SERVICES;
import static io.l4lb.ipvs.Samples.WEB;
import static io.l4lb.ipvs.Samples.destination;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.netlink.Octets;
import io.l4lb.netlink.generic.GenericNetlink;
import io.l4lb.netlink.generic.GenericRequest;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract with the kernel's own IPVS, and that ipvsadm sees the same; in the VM, see lab/vm. */
@Tag("kernel")
class KernelIpvsTest extends IpvsContract {
    private static final String HOST = "ipvs";

    private final Namespaces namespaces = new Namespaces();

    @RegisterExtension
    final InNamespace inside = new InNamespace(this::namespace);

    private String namespace() {
        Machine.needNetworkNamespaces();
        Machine.succeeds("modprobe", "-q", "ip_vs");
        Machine.need("ipvs", Files.exists(Path.of("/proc/net/ip_vs")), "the kernel has no module ip_vs");
        namespaces.make(HOST);
        namespaces.ip(HOST, "link add sync0 type dummy");
        namespaces.ip(HOST, "address add 10.99.0.1/24 dev sync0");
        namespaces.ip(HOST, "link set sync0 multicast on up");
        return namespaces.name(HOST);
    }

    @AfterEach
    void cleanUp() {
        namespaces.close();
    }

    @Override
    IpvsClient open() {
        return IpvsClient.open();
    }

    @Test
    void ipvsadmPrintsWhatWasAdded() {
        try (IpvsClient ipvs = open()) {
            addEverything(ipvs);
        }
        assertEquals(IpvsadmRules.SORTED, sorted(namespaces.exec(HOST, "ipvsadm -Sn")));
    }

    @Test
    void whatIpvsadmRestoresIsReadBack() {
        String rules = String.join("\n", IpvsadmRules.IN_ORDER) + "\n";
        Machine.runWithInput(rules, "ip", "netns", "exec", namespaces.name(HOST), "ipvsadm", "-R");
        try (IpvsClient ipvs = open()) {
            assertEquals(
                    SERVICES.size(),
                    ipvs.services().stream()
                            .map(ServiceEntry::service)
                            .filter(SERVICES::contains)
                            .count());
            assertEquals(
                    IpvsadmRules.DESTINATIONS,
                    ipvs.destinations(WEB).stream()
                            .map(DestinationEntry::destination)
                            .toList());
        }
    }

    @Test
    void everySchedulerOfThisKernelIsTaken() {
        try (IpvsClient ipvs = open()) {
            int port = 1;
            for (String name :
                    List.of("rr", "wrr", "lc", "wlc", "lblc", "lblcr", "dh", "sh", "sed", "nq", "fo", "ovf", "mh")) {
                VirtualAddress identity = new VirtualAddress(WEB.address(), VirtualAddress.TCP, port++);
                ipvs.addService(new Service(identity, ServiceSettings.of(name)));
                ipvs.addDestination(identity, destination("10.0.0.1", 80, 1, Tunnel.IPIP));
            }
            assertTrue(ipvs.services().size() == port - 1);
        }
    }

    /** Stopped in the datagram that starts it, it is acknowledged now and then only; what is asked behind it always is. */
    @Test
    void aDaemonWhoseThreadNeverRanIsStoppedInSilence() {
        try (IpvsClient ipvs = open();
                GenericNetlink netlink = GenericNetlink.open()) {
            SyncDaemon daemon = SyncDaemon.of(SyncRole.MASTER, INTERFACE, 0);
            List<GenericRequest> requests = List.of(
                    new GenericRequest("start", Command.NEW_DAEMON, DaemonAttributes.encode(daemon)),
                    new GenericRequest("stop", Command.DEL_DAEMON, DaemonAttributes.encode(daemon.role())),
                    new GenericRequest("ask", Command.GET_INFO, Octets.EMPTY));
            for (int i = 0; i < 20; i++) {
                assertEquals(
                        Collections.nCopies(3, Optional.empty()),
                        netlink.pipeline(netlink.family("IPVS").orElseThrow(), requests));
                assertEquals(List.of(), ipvs.daemons());
            }
        }
    }

    private static void addEverything(IpvsClient ipvs) {
        SERVICES.forEach(ipvs::addService);
        for (int i = IpvsadmRules.DESTINATIONS.size() - 1; i >= 0; i--) {
            ipvs.addDestination(WEB, IpvsadmRules.DESTINATIONS.get(i));
        }
    }

    private static List<String> sorted(String lines) {
        return lines.lines().map(String::trim).sorted().toList();
    }
}
