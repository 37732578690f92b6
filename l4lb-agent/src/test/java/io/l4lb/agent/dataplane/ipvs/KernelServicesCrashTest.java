// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.Programs.WEB;
import static io.l4lb.agent.dataplane.ipvs.Programs.down;
import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.netlink.Errno;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent that ends, or is refused something, at any message: the next attempt gets where the first would have. */
final class KernelServicesCrashTest {
    private static final InetAddress ONE = ip("10.0.1.1");
    private static final InetAddress TWO = ip("10.0.1.2");
    private static final InetAddress THREE = ip("10.0.1.3");
    private static final InetAddress FOUR = ip("10.0.1.4");
    private static final KernelScheduler MH = KernelScheduler.MH;

    @TempDir
    Path directory;

    private record Change(String name, List<ServiceProgram> before, ServiceProgram after) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Change> changes() {
        List<ServiceProgram> three = List.of(Programs.of(WEB, MH, up(ONE, 1), up(TWO, 2), down(FOUR, 1)));
        return List.of(
                new Change(
                        "new, with reals up, down and drained",
                        List.of(),
                        Programs.of(WEB, MH, up(ONE, 1), down(TWO, 2), up(THREE, 0), up(FOUR, 4))),
                new Change("new, wrr", List.of(), Programs.of(WEB, KernelScheduler.WRR, up(ONE, 1), down(TWO, 2))),
                new Change(
                        "one more in the middle",
                        three,
                        Programs.of(WEB, MH, up(ONE, 1), up(TWO, 2), up(THREE, 1), down(FOUR, 1))),
                new Change(
                        "one that is down gets another weight",
                        three,
                        Programs.of(WEB, MH, up(ONE, 1), up(TWO, 2), down(FOUR, 2))),
                new Change(
                        "one goes down with another weight",
                        three,
                        Programs.of(WEB, MH, up(ONE, 1), down(TWO, 1), down(FOUR, 1))),
                new Change("one comes back", three, Programs.of(WEB, MH, up(ONE, 1), up(TWO, 2), up(FOUR, 1))),
                new Change("two leave", three, Programs.of(WEB, MH, up(TWO, 2))),
                new Change(
                        "another scheduler",
                        three,
                        Programs.of(WEB, KernelScheduler.WRR, up(ONE, 1), up(TWO, 2), down(FOUR, 1))),
                new Change(
                        "another scheduler, and then weights for a table",
                        List.of(Programs.of(WEB, KernelScheduler.WRR, up(ONE, 7), up(TWO, 9), down(FOUR, 3))),
                        Programs.of(WEB, MH, up(ONE, 1), up(TWO, 2), down(FOUR, 1))));
    }

    private PlayedKernel kernel(Change change, String name) throws IOException {
        PlayedKernel kernel = new PlayedKernel(Files.createDirectory(directory.resolve(name)));
        KernelServices services = kernel.services();
        change.before().forEach(program -> services.install(program, scheduler(program), Instant.EPOCH));
        kernel.writes();
        return kernel;
    }

    private static KernelScheduler scheduler(ServiceProgram program) {
        return KernelSchedulers.of(program, Maglev.KERNEL).orElseThrow();
    }

    private static void install(KernelServices services, ServiceProgram program) {
        services.install(program, scheduler(program), Instant.EPOCH);
        assertTrue(services.installed(program.key()).orElseThrow().does(program));
    }

    /** The kernel's order counts only where a table is made of it. */
    private static List<String> state(PlayedKernel kernel, boolean ordered) {
        List<String> lines = new ArrayList<>(kernel.everything().lines().toList());
        if (!ordered) {
            Collections.sort(lines);
        }
        return lines;
    }

    @ParameterizedTest
    @MethodSource("changes")
    void theNextAgentGoesOnWhereOneEnded(Change change) throws IOException {
        PlayedKernel undisturbed = kernel(change, "undisturbed");
        install(undisturbed.services(), change.after());
        int messages = undisturbed.writes().size();
        assertTrue(messages > 0);
        for (int sent = 0; sent < messages; sent++) {
            PlayedKernel kernel = kernel(change, "killed" + sent);
            KernelServices first = kernel.services();
            kernel.killAfter(sent);
            assertThrows(PlayedKernel.Killed.class, () -> install(first, change.after()));
            kernel.behave();
            KernelServices next = kernel.services();
            install(next, change.after());
            assertEquals(undisturbed.everything(), kernel.everything(), "ended after " + sent);
            kernel.writes();
            install(next, change.after());
            assertEquals(List.of(), kernel.writes());
            next.remove(Set.of(WEB));
            assertTrue(kernel.everything().contains("claims {}"));
            assertEquals("", kernel.dump());
        }
    }

    @ParameterizedTest
    @MethodSource("changes")
    void theSameAgentGoesOnAfterARefusal(Change change) throws IOException {
        PlayedKernel undisturbed = kernel(change, "undisturbed");
        install(undisturbed.services(), change.after());
        int messages = undisturbed.writes().size();
        for (int sent = 0; sent < messages; sent++) {
            PlayedKernel kernel = kernel(change, "refused" + sent);
            KernelServices services = kernel.services();
            kernel.refuseAfter(sent, Errno.ENOMEM);
            assertThrows(DataplaneException.class, () -> install(services, change.after()));
            kernel.behave();
            install(services, change.after());
            boolean ordered = scheduler(change.after()) == MH;
            assertEquals(state(undisturbed, ordered), state(kernel, ordered), "refused after " + sent);
        }
    }
}
