// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.IpvsLab.ONE;
import static io.l4lb.agent.dataplane.ipvs.IpvsLab.TWO;
import static io.l4lb.agent.dataplane.ipvs.Programs.WEB;
import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.ipvs.Connections;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.Statistics;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.test.InNamespace;
import io.l4lb.test.TemporaryTmpFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
