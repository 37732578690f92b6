// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.IpvsLab.ONE;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.TWO;
import static io.l4lb.agent.dataplane.ipvs.Programs.WEB;
import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.Statistics;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.test.Await;
import io.l4lb.test.InNamespace;
import io.l4lb.test.TemporaryTmpFs;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The dataplane as a whole, with an IPVS that is played, on a machine where others change things. */
@Tag("kernel")
final class IpvsRepairTest {
    private static final ServiceProgram BY_KERNEL = Programs.of(WEB, KernelScheduler.MH, up(ONE, 1), up(TWO, 1));

    @AutoClose
    private final IpvsLab lab = new IpvsLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private final FakeIpvs fake = new FakeIpvs();

    private static ServiceProgram marked() {
        LookupTable table = Scheduler.KETAMA.build(
                List.of(new WeightedReal(ONE.getHostAddress(), 1), new WeightedReal(TWO.getHostAddress(), 1)),
                251,
                IpvsLab.SEED);
        return new ServiceProgram(
                WEB,
                PacketKey.FIVE_TUPLE,
                Forwarding.IPIP,
                Optional.of(new Scheduling.ByTable(Scheduler.KETAMA, 251)),
                Optional.of(table),
                List.of(up(ONE, 1), up(TWO, 1)));
    }

    private boolean hasKernelService() {
        try (IpvsClient client = fake.client()) {
            return client.services().stream()
                    .map(ServiceEntry::service)
                    .anyMatch(service -> service.identity() instanceof VirtualAddress);
        }
    }

    private void connections(int active) {
        fake.count(
                Identities.of(WEB),
                new DestinationIdentity(ONE, WEB.port()),
                new Connections(active, 0, 0),
                Statistics.ZERO);
    }

    private void later(Duration time) {
        lab.now = lab.now.plus(time);
    }

    private static Set<InetAddress> unreachable(IpvsDataplane dataplane) {
        return dataplane
                .follow(Set.of(ONE, TWO), Set.of(WEB.vip(), ip("192.0.2.11"), ip("2001:db8::11"), ip("192.0.2.12")))
                .keySet();
    }

    /** What is sent to a VIP must not come from it. */
    @Test
    void othersMayMakeAVipLocal() {
        try (IpvsDataplane dataplane = lab.open(fake)) {
            dataplane.install(BY_KERNEL);
            assertEquals(Set.of(), unreachable(dataplane));
            lab.director("addr add 192.0.2.10/32 dev lo");
            assertEquals(Set.of(), unreachable(dataplane), "the agent's route was there before");
            lab.director("route add local 192.0.2.11 dev lo");
            lab.director("addr add 192.0.2.12/32 dev lo");
            lab.director("addr add 2001:db8::11/128 dev lo nodad");
            // The kernel makes the route of an IPv6 address a little later.
            Set<InetAddress> all = Set.of(ip("192.0.2.11"), ip("192.0.2.12"), ip("2001:db8::11"));
            Await.await("all are said", () -> unreachable(dataplane).equals(all));
            lab.director("route replace local 192.0.2.11 dev lo src 10.0.0.2 table local");
            lab.director("addr del 2001:db8::11/128 dev lo");
            lab.director("route add local 2001:db8::11 dev lo table local");
            assertEquals(Set.of(ip("192.0.2.12")), unreachable(dataplane), "of IPv6 the kernel chooses a good source");
        }
    }

    @Test
    void aLocalRouteAndASettingComeBack() throws IOException {
        Path setting = lab.sysctls().resolve("net/ipv4/vs/expire_nodest_conn");
        try (IpvsDataplane dataplane = lab.open(fake)) {
            dataplane.install(BY_KERNEL);
            dataplane.observe();
            dataplane.keepAttached();
            assertTrue(lab.director("route show table local").contains("192.0.2.10"));
            assertEquals("1", Files.readString(setting).strip());
            lab.director("route del local 192.0.2.10 table local");
            Files.writeString(setting, "0\n");
            later(Duration.ofSeconds(10));
            int commands = fake.commands().size();
            dataplane.keepAttached();
            assertTrue(lab.director("route show table local").contains("192.0.2.10"));
            assertEquals("1", Files.readString(setting).strip());
            assertEquals(commands, fake.commands().size());
            dataplane.remove(Set.of(WEB));
            assertFalse(lab.director("route show table local").contains("192.0.2.10"));
        }
    }

    @Test
    void whoTakesOutEverythingIsNoticedAtTheNextLook() {
        try (IpvsDataplane dataplane = lab.open(fake);
                IpvsClient others = fake.client()) {
            dataplane.install(BY_KERNEL);
            dataplane.observe();
            int commands = fake.commands().size();
            assertFalse(dataplane.disturbed());
            assertTrue(fake.commands().size() <= commands + 2);
            int services = others.services().size();
            others.flush();
            assertTrue(dataplane.disturbed());
            dataplane.observe();
            assertEquals(services - 1, others.services().size());
            assertFalse(dataplane.disturbed());
            dataplane.install(BY_KERNEL);
            dataplane.observe();
            others.deleteService(Identities.of(WEB));
            assertTrue(dataplane.disturbed());
            dataplane.remove(Set.of(WEB));
            assertFalse(dataplane.disturbed());
        }
    }

    @Test
    void aMarkThatIsGoneIsNoticedInItsTurn() {
        try (IpvsDataplane dataplane = lab.open(fake);
                IpvsClient others = fake.client()) {
            dataplane.observe();
            int services = others.services().size();
            others.deleteService(others.services().get(0).service().identity());
            boolean noticed = false;
            for (int pass = 0; pass < 2 * services; pass++) {
                noticed |= dataplane.disturbed();
            }
            assertTrue(noticed);
        }
    }

    @Test
    void fromTheKernelsSchedulerToOursConnectionsStay() {
        try (IpvsDataplane dataplane = lab.open(fake)) {
            dataplane.install(BY_KERNEL);
            connections(1);
            assertTrue(dataplane.install(marked()).does(marked()));
            dataplane.keepAttached();
            assertTrue(hasKernelService());
            connections(0);
            dataplane.keepAttached();
            assertFalse(hasKernelService());
            assertTrue(dataplane.install(BY_KERNEL).does(BY_KERNEL));
            assertTrue(Objects.requireNonNull(dataplane.observe().get(WEB)).does(BY_KERNEL));
        }
    }

    @Test
    void theNextAgentEndsWhatKeptItsConnections() {
        try (IpvsDataplane dataplane = lab.open(fake)) {
            dataplane.install(BY_KERNEL);
            connections(1);
            dataplane.install(marked());
        }
        try (IpvsDataplane dataplane = lab.open(fake)) {
            assertTrue(Objects.requireNonNull(dataplane.observe().get(WEB)).does(marked()));
            dataplane.keepAttached();
            assertTrue(hasKernelService());
            later(Duration.ofMinutes(5));
            dataplane.keepAttached();
            assertFalse(hasKernelService());
            assertTrue(Objects.requireNonNull(dataplane.observe().get(WEB)).does(marked()));
        }
    }

    /** Status and log show what the dataplane notes. */
    @Test
    void settingsThatCannotBeRestoredAreAProblem() throws IOException {
        Files.createDirectories(lab.state());
        Files.writeString(lab.state().resolve("ipvs-settings.json"), "");
        try (IpvsDataplane dataplane = lab.open(fake)) {
            List<String> notes = dataplane.info().notes();
            assertTrue(
                    notes.toString().contains("it is not known any more what settings were before"), notes::toString);
        }
    }

    private static boolean isOfPackets(ServiceEntry entry) {
        return entry.service().identity() instanceof FirewallMark mark
                && mark.mark() >= MarkServices.ofPackets(Marks.BASE);
    }

    private List<ServiceEntry> ofPackets() {
        try (IpvsClient client = fake.client()) {
            return client.services().stream()
                    .filter(IpvsRepairTest::isOfPackets)
                    .toList();
        }
    }

    private void rename(String from, String to) {
        lab.director("link set " + from + " down");
        lab.director("link set " + from + " name " + to);
        lab.director("link set " + to + " up");
    }

    @Test
    void aMarkerThatCannotBeTakenOverYetIsNotLost() {
        try (IpvsDataplane dataplane = lab.open(fake)) {
            dataplane.install(marked());
        }
        List<ServiceEntry> before = ofPackets();
        assertFalse(before.isEmpty());
        rename("eth0", "eth9");
        try (IpvsDataplane dataplane = lab.open(fake)) {
            assertTrue(dataplane.info().notes().toString().contains("cannot be taken over"));
            assertThrows(DataplaneException.class, () -> dataplane.install(marked()));
            assertTrue(dataplane.install(BY_KERNEL).does(BY_KERNEL));
            dataplane.remove(Set.of(WEB));
            assertTrue(lab.director("route show table local").contains("192.0.2.10"));
            later(Duration.ofMinutes(6));
            dataplane.keepAttached();
            assertEquals(before, ofPackets());
            rename("eth9", "eth0");
            dataplane.keepAttached();
            assertTrue(dataplane.info().notes().toString().contains("cannot be taken over"));
            later(Duration.ofSeconds(10));
            dataplane.keepAttached();
            assertFalse(dataplane.info().notes().toString().contains("cannot be taken over"));
            assertTrue(Objects.requireNonNull(dataplane.observe().get(WEB)).does(marked()));
            assertEquals(before, ofPackets());
        }
    }

    /** An agent whose marker cannot be attached leaves a directory without anything in it. */
    @Test
    void aMarkerThatNeverWasIsNotTakenOver() throws IOException {
        Files.createDirectories(lab.section().pinDir());
        try (IpvsDataplane dataplane = lab.open(fake)) {
            assertTrue(dataplane.install(BY_KERNEL).does(BY_KERNEL));
            try (Stream<Path> pins = Files.list(lab.section().pinDir())) {
                assertEquals(0, pins.count());
            }
            assertTrue(dataplane.install(marked()).does(marked()));
        }
    }

    @Test
    void withoutRoomForItsStateNothingIsTouched() throws IOException {
        try (TemporaryTmpFs disk = new TemporaryTmpFs("size=64k");
                IpvsDataplane dataplane = lab.open(fake, Maglev.KERNEL, disk.path())) {
            Path ballast = disk.path().resolve("ballast");
            assertThrows(IOException.class, () -> Files.write(ballast, new byte[1 << 20]));
            List<Integer> before = fake.commands();
            DataplaneException refused = assertThrows(DataplaneException.class, () -> dataplane.install(BY_KERNEL));
            assertTrue(String.valueOf(refused.getMessage()).contains("cannot write"), refused.getMessage());
            assertTrue(fake.commands().subList(before.size(), fake.commands().size()).stream()
                    .allMatch(command -> command == 4 || command == 8));
            Files.delete(ballast);
            assertTrue(dataplane.install(BY_KERNEL).does(BY_KERNEL));
        }
    }
}
