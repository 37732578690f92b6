// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.IpvsLab.ONE;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.SEED;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.TWO;
import static io.l4lb.agent.dataplane.ipvs.Programs.DNS;
import static io.l4lb.agent.dataplane.ipvs.Programs.down;
import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.Scheduler;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Services whose packets are marked, and the services of the marks. */
@Tag("kernel")
final class MarkedServicesTest {
    private static final int MARK = 0x4c340000;

    @AutoClose
    private final IpvsLab lab = new IpvsLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private final FakeIpvs fake = new FakeIpvs();

    private IpvsDataplane open() {
        IpvsDataplane dataplane = lab.open(fake, Maglev.TABLE);
        dataplane.probes(Map.of(MARK, way(ONE), MARK + 1, way(TWO)));
        return dataplane;
    }

    private static ProbePath way(InetAddress real) {
        return new ProbePath(real, Forwarding.GUE);
    }

    private static ServiceProgram program(Member... members) {
        Scheduling scheduling = new Scheduling.ByTable(Scheduler.KETAMA, 251);
        Tables.Request request = new Tables.Request(Optional.of(DNS), scheduling, HashKey.FIVE_TUPLE, List.of(members));
        return new ServiceProgram(
                DNS,
                PacketKey.FIVE_TUPLE,
                Forwarding.GUE,
                Optional.of(scheduling),
                new SeededTables(SEED).table(request),
                List.of(members));
    }

    /** The reals of a mark's service; empty: there is no such service. */
    private Optional<List<InetAddress>> at(int mark) {
        FirewallMark service = new FirewallMark(mark, AddressFamily.INET);
        try (IpvsClient ipvs = fake.client()) {
            return ipvs.service(service).map(entry -> ipvs.destinations(service).stream()
                    .map(each -> each.destination().identity().address())
                    .toList());
        }
    }

    private List<ServiceIdentity> services() {
        try (IpvsClient ipvs = fake.client()) {
            return ipvs.services().stream()
                    .map(each -> each.service().identity())
                    .toList();
        }
    }

    @Test
    void packetsHaveMarksOfTheirOwn() {
        try (IpvsDataplane dataplane = open()) {
            assertTrue(dataplane.install(program(up(ONE, 1), up(TWO, 1))).does(program(up(ONE, 1), up(TWO, 1))));
            for (int mark : List.of(MARK, MarkServices.ofPackets(MARK))) {
                assertEquals(Optional.of(List.of(ONE)), at(mark));
                assertEquals(Optional.of(List.of(TWO)), at(mark + 1));
            }
        }
    }

    /** Its probes go on, while the connections that it had find another real with their next packet. */
    @Test
    void aDeadRealIsTakenOutForPackets() {
        try (IpvsDataplane dataplane = open()) {
            dataplane.install(program(up(ONE, 1), up(TWO, 1)));
            dataplane.install(program(up(ONE, 1), down(TWO, 1)));
            assertEquals(Optional.of(List.of(TWO)), at(MARK + 1));
            assertEquals(Optional.of(List.of()), at(MarkServices.ofPackets(MARK + 1)));
            dataplane.install(program(up(ONE, 1), up(TWO, 1)));
            assertEquals(Optional.of(List.of(TWO)), at(MarkServices.ofPackets(MARK + 1)));
        }
    }

    @Test
    void theNextAgentGoesOnWithThem() {
        ServiceProgram program = program(up(ONE, 1), up(TWO, 1));
        open().install(program);
        try (IpvsDataplane next = open()) {
            ObservedService found = Optional.ofNullable(next.observe().get(DNS)).orElseThrow();
            assertTrue(found.does(program));
            lab.now = lab.now.plus(Duration.ofDays(1));
            next.keepAttached();
            assertEquals(Optional.of(List.of(ONE)), at(MarkServices.ofPackets(MARK)));
        }
    }

    @Test
    void packetsGetAnotherMarkWithTheirWay() {
        ServiceProgram program = program(up(ONE, 1), up(TWO, 1));
        try (IpvsDataplane dataplane = open()) {
            dataplane.install(program);
            dataplane.probes(Map.of(MARK + 7, way(ONE), MARK + 1, way(TWO)));
            assertEquals(Optional.of(List.of(ONE)), at(MarkServices.ofPackets(MARK + 7)));
            dataplane.keepAttached();
            assertEquals(Optional.empty(), at(MarkServices.ofPackets(MARK)));
            assertTrue(Optional.ofNullable(dataplane.observe().get(DNS))
                    .orElseThrow()
                    .does(program));
        }
    }

    @Test
    void aMarkOfPacketsThatSomebodyElseTookIsGivenUp() {
        ServiceProgram program = program(up(ONE, 1), up(TWO, 1));
        FirewallMark theirs = new FirewallMark(MarkServices.ofPackets(MARK), AddressFamily.INET);
        try (IpvsDataplane dataplane = open();
                IpvsClient ipvs = fake.client()) {
            ipvs.addService(new Service(theirs, ServiceSettings.of("wlc")));
            DataplaneException refused = assertThrows(DataplaneException.class, () -> dataplane.install(program));
            assertTrue(String.valueOf(refused.getMessage()).contains(theirs + " that is not ours"));
            assertTrue(dataplane.disturbed());
            Marks marks = new Marks();
            marks.adopt(dataplane.marks());
            Map<Integer, ProbePath> next = marks.assign(Set.of(way(ONE), way(TWO)), dataplane.foreignMarks());
            assertTrue(!next.containsKey(MARK));
            dataplane.probes(next);
            assertTrue(dataplane.install(program).does(program));
            dataplane.keepAttached();
            assertEquals(Optional.of(List.of()), at(theirs.mark()));
            assertFalse(dataplane.disturbed());
        }
    }

    /** Those of packets too, and nobody else's. */
    @Test
    void marksGoWhenTheAgentIsReleased() {
        open().install(program(up(ONE, 1), up(TWO, 1)));
        FirewallMark theirs = new FirewallMark(77, AddressFamily.INET);
        try (IpvsClient ipvs = fake.client()) {
            ipvs.addService(new Service(theirs, ServiceSettings.of("rr")));
        }
        long ours = services().size() - 1L;
        List<String> told = new ArrayList<>();
        List<String> left = new ArrayList<>();
        assertEquals(List.of(), release(told, left));
        assertEquals(List.of(theirs), services());
        assertTrue(told.stream().anyMatch(words -> words.startsWith(ours + " IPVS services by mark")), told::toString);
        assertEquals(List.of(), left);
    }

    private List<String> release(List<String> told, List<String> left) {
        return new IpvsRemains(lab.section(), lab.state(), told::add, left::add, fake::client, lab.sysctls())
                .release(false);
    }

    /** What shows whose it is goes; of services nothing does. */
    @Test
    void aReleaseWithoutItsStateSaysWhatItLeaves() {
        open().install(program(up(ONE, 1), up(TWO, 1)));
        List<ServiceIdentity> before = services();
        Machine.run("rm", "-r", lab.state().toString());
        List<String> told = new ArrayList<>();
        List<String> left = new ArrayList<>();
        assertEquals(List.of(), release(told, left));
        assertEquals(before, services());
        assertTrue(told.contains("the marker on eth0"), told::toString);
        assertTrue(told.contains("the local route of VIP 192.0.2.10"), told::toString);
        assertTrue(
                left.stream()
                        .anyMatch(words -> words.startsWith(before.size() + " IPVS services by mark in the agent")),
                left::toString);
        assertFalse(Files.exists(lab.state()));
    }

    @Test
    void aReleaseWithADamagedStateNamesTheFilesAndKeepsThem() throws IOException {
        open().install(program(up(ONE, 1), up(TWO, 1)));
        Path marks = lab.state().resolve("marks/marks.json");
        Path settings = lab.state().resolve("ipvs-settings.json");
        Files.writeString(marks, "garbage");
        Files.writeString(settings, "{");
        List<String> left = new ArrayList<>();
        List<String> damage = release(new ArrayList<>(), left);
        assertEquals(2, damage.size());
        assertTrue(damage.get(0).startsWith(marks.toString()), damage::toString);
        assertTrue(damage.get(1).startsWith(settings.toString()), damage::toString);
        assertEquals(1, left.size());
        assertEquals("garbage", Files.readString(marks));
        assertEquals("{", Files.readString(settings));
        assertEquals(damage, release(new ArrayList<>(), left));
    }

    @Test
    void savedRulesHaveTheMarksOfPackets() {
        try (IpvsDataplane dataplane = open()) {
            dataplane.install(program(up(ONE, 1), up(TWO, 1)));
            String mark = "-f " + MarkServices.ofPackets(MARK) + " ";
            assertTrue(dataplane.ipvsadm().orElseThrow().stream().anyMatch(line -> line.contains(mark)));
        }
    }

    @Test
    void anothersServiceAtTheSameAddressIsRefused() {
        Service theirs = new Service(Identities.of(DNS), ServiceSettings.of("rr"));
        try (IpvsDataplane dataplane = open();
                IpvsClient ipvs = fake.client()) {
            ipvs.addService(theirs);
            DataplaneException refused =
                    assertThrows(DataplaneException.class, () -> dataplane.install(program(up(ONE, 1))));
            assertTrue(String.valueOf(refused.getMessage()).contains("not ours"), refused.getMessage());
            assertEquals(Map.of(), dataplane.observe());
            ipvs.deleteService(theirs.identity());
            dataplane.install(program(up(ONE, 1)));
            assertEquals(Set.of(DNS), dataplane.observe().keySet());
        }
    }

    @Test
    void marksGoWithTheirService() {
        try (IpvsDataplane dataplane = open()) {
            dataplane.install(program(up(ONE, 1), up(TWO, 1)));
            dataplane.remove(Set.of(DNS));
            dataplane.keepAttached();
            assertEquals(Optional.empty(), at(MarkServices.ofPackets(MARK)));
            assertEquals(Optional.of(List.of(ONE)), at(MARK));
        }
    }
}
