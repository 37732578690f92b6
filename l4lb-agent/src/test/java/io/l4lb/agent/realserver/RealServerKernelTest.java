// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.agent.realserver.RealLab.VIP4;
import static io.l4lb.agent.realserver.RealLab.VIP6;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.realserver.Step.Outcome;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traffic to a real that was set up: by our program, and by the kernel's devices where there are any. */
@Tag("kernel")
class RealServerKernelTest {
    /** Seconds: for what works, and for what does not. */
    private static final int LONG = 20;

    private static final int SHORT = 1;
    private static final int ALL = 4;

    @TempDir
    Path directory;

    @RegisterExtension
    final InNamespace inNamespace = new InNamespace(this::build);

    private final List<Step> steps = new ArrayList<>();
    private Optional<RealLab> built = Optional.empty();

    private String build() throws Exception {
        Machine.needNetworkNamespaces();
        Machine.needBpf();
        built = Optional.of(new RealLab());
        return lab().build();
    }

    @AfterEach
    void remove() {
        built.ifPresent(RealLab::close);
    }

    private RealLab lab() {
        return built.orElseThrow();
    }

    private RealServer server() {
        return RealServer.here(directory.resolve("real.json"), () -> false);
    }

    private static void need(Method method) {
        KernelModules modules = new KernelModules();
        List<String> missing = KernelTunnels.MODULES.stream()
                .filter(module -> !modules.isAvailable(module))
                .toList();
        Machine.need("tunnels", method != Method.KERNEL || missing.isEmpty(), "no kernel modules " + missing);
        boolean tcx = KernelVersion.isAtLeast(6, 6);
        Machine.need("tcx", method != Method.BPF || tcx, "tcx needs Linux 6.6");
    }

    private SetupRequest request(Method method, String source, String... vips) {
        return new SetupRequest(
                List.of(vips).stream().map(Prefix::address).toList(),
                Optional.empty(),
                method,
                source.isEmpty() ? List.of() : List.of(Prefix.parse(source)),
                lab().pinDirectory());
    }

    private void setup(Method method) {
        steps.clear();
        server().setup(request(method, "", VIP4, VIP6), false, steps::add);
    }

    private void strict(String host) {
        lab().namespaces().exec(host, "sysctl -qw net.ipv4.conf.all.rp_filter=1 net.ipv4.conf.eth0.rp_filter=1");
    }

    /** But for the tunnel devices, which the modules bring with them and leave behind. */
    private String settings() {
        String all = lab().namespaces().exec("real", "sysctl net.ipv4.conf net.ipv6.conf");
        return all.replaceAll("(?m)^.*\\.(tunl0|sit0|ip6tnl0)\\..*\\R", "");
    }

    private String addresses() {
        return lab().namespaces().ip("real", "-o address show scope global").replaceAll("(?m)^\\d+", "");
    }

    private void assertTunnels(int expected) throws Exception {
        int seconds = expected == ALL ? LONG : SHORT;
        assertEquals(expected, lab().tunnelsTo(VIP4, seconds));
        assertEquals(expected, lab().tunnelsTo(VIP6, seconds));
    }

    @ParameterizedTest
    @EnumSource(names = {"KERNEL", "BPF"})
    void tunnelsReachTheVipsUntilTornDown(Method method) throws Exception {
        need(method);
        strict("real");
        String addresses = addresses();
        String settings = settings();
        assertTunnels(0);
        setup(method);
        assertTunnels(ALL);
        RealServer.Status status = server().status().orElseThrow();
        assertTrue(status.isWhole(), status::toString);
        assertEquals(method == Method.BPF, status.counters().getOrDefault("opened", 0L) > 0);
        assertTrue(server().teardown(false, steps::add));
        assertTunnels(0);
        assertEquals(addresses, addresses());
        assertEquals(settings, settings());
        assertFalse(Files.exists(lab().pinDirectory()));
        assertFalse(Files.exists(directory.resolve("real.json")));
    }

    @ParameterizedTest
    @EnumSource(names = {"KERNEL", "BPF"})
    void secondSetupChangesNothing(Method method) {
        need(method);
        setup(method);
        setup(method);
        assertEquals(
                List.of(),
                steps.stream()
                        .filter(step -> step.outcome() != Outcome.UNCHANGED)
                        .map(Step::toString)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(names = {"KERNEL", "BPF"})
    void theRealDoesNotAnswerArpForVips(Method method) throws Exception {
        need(method);
        server().setup(request(method, "", VIP4, "192.0.2.11"), false, steps::add);
        assertFalse(lab().answersBare("192.0.2.11", SHORT));
        lab().namespaces().exec("real", "sysctl -qw net.ipv4.conf.eth0.arp_ignore=0");
        lab().namespaces().ip("director", "neigh flush dev eth0");
        assertTrue(lab().answersBare("192.0.2.11", LONG));
        RealServer.Status status = server().status().orElseThrow();
        assertEquals(
                List.of("net.ipv4.conf.eth0.arp_ignore"),
                status.checks().stream()
                        .filter(check -> check.verdict() != Check.Verdict.OK)
                        .map(check -> check.item().toString())
                        .toList());
        server().setup(request(method, "", VIP4, "192.0.2.11"), false, steps::add);
        lab().namespaces().ip("director", "neigh flush dev eth0");
        assertFalse(lab().answersBare("192.0.2.11", SHORT));
    }

    @Test
    void methodsFollowEachOther() throws Exception {
        need(Method.BPF);
        need(Method.KERNEL);
        for (Method method : List.of(Method.BPF, Method.KERNEL, Method.BPF)) {
            setup(method);
            assertTunnels(ALL);
            assertTrue(server().status().orElseThrow().isWhole());
        }
    }

    @Test
    void ourProgramOpensOnlyWhatItMay() throws Exception {
        need(Method.BPF);
        server().setup(request(Method.BPF, "10.3.0.0/28", VIP4), false, steps::add);
        // IPv4 tunnels only; the VIP alone.
        assertEquals(2, lab().tunnelsTo(VIP4, 2));
        assertEquals(0, lab().tunnelsTo(VIP6, SHORT));
        server().setup(request(Method.BPF, "10.4.0.0/16", VIP4), false, steps::add);
        assertEquals(0, lab().tunnelsTo(VIP4, SHORT));
        setup(Method.BPF);
        assertTunnels(ALL);
    }

    @Test
    void anInterfaceThatComesBackIsSetUpAgain() throws Exception {
        need(Method.BPF);
        setup(Method.BPF);
        lab().namespaces().ip("real", "link del eth0");
        assertFalse(server().status().orElseThrow().problems().isEmpty());
        lab().connect();
        lab().encapsulate();
        RealServer.Status status = server().status().orElseThrow();
        assertEquals(List.of(), status.problems());
        assertFalse(status.isWhole());
        setup(Method.BPF);
        assertTunnels(ALL);
        lab().namespaces().ip("real", "link del eth0");
        server().teardown(false, steps::add);
        assertFalse(Files.exists(lab().pinDirectory()));
    }

    @Test
    void aVipOfTheInterfaceIsRefused() {
        lab().namespaces().ip("real", "addr add 192.0.2.10/24 dev eth0");
        RealServerException e = assertThrows(RealServerException.class, () -> setup(Method.BPF));
        assertTrue(e.problems().get(0).startsWith("192.0.2.10 is an address of eth0 already"), e::getMessage);
        assertFalse(Files.exists(directory.resolve("real.json")));
    }

    @Test
    void aFailedSetupLeavesNoTrace() {
        need(Method.BPF);
        String settings = settings();
        String addresses = addresses();
        SetupRequest noBpfFs = new SetupRequest(
                List.of(ip(VIP4)), Optional.empty(), Method.BPF, List.of(), Path.of("/proc/self/none/real"));
        RealServerException e =
                assertThrows(RealServerException.class, () -> server().setup(noBpfFs, false, steps::add));
        assertTrue(e.problems().get(0).startsWith("bpffs at /proc/self/none cannot be made"), e::getMessage);
        assertEquals("what had been changed is as it was before", e.problems().get(1));
        assertEquals(settings, settings());
        assertEquals(addresses, addresses());
        assertFalse(Files.exists(directory.resolve("real.json")));
    }

    @Test
    void whatASetupLeftThatWasKilledBeforeItAttachedIsUndone() {
        need(Method.BPF);
        setup(Method.BPF);
        Link.unpin(lab().pinDirectory().resolve("link-eth0"));
        assertTrue(Files.exists(lab().pinDirectory().resolve("limits")));
        assertFalse(server().status().orElseThrow().isWhole());
        assertTrue(server().teardown(false, steps::add));
        assertFalse(Files.exists(lab().pinDirectory()));
    }

    @Test
    void aDryRunRefusesWhatTheSetupRefuses() throws IOException {
        need(Method.BPF);
        Path place = Files.createDirectory(directory.resolve("place"));
        Files.createFile(place.resolve("precious"));
        SetupRequest hiding =
                new SetupRequest(List.of(ip(VIP4)), Optional.empty(), Method.BPF, List.of(), place.resolve("real"));
        for (boolean dryRun : List.of(true, false)) {
            RealServerException e =
                    assertThrows(RealServerException.class, () -> server().setup(hiding, dryRun, steps::add));
            assertEquals(
                    List.of("no bpffs at " + place
                            + ", and none is mounted there, since it would hide what is in it: choose another"
                            + " --pin-dir"),
                    e.problems());
        }
        assertEquals(List.of(), steps);
    }

    @Test
    void rootIsNeeded() {
        RealServerException e = assertThrows(
                RealServerException.class,
                () -> ThreadContext.withoutCapabilities(
                        () -> server().setup(request(Method.BPF, "", VIP4), true, steps::add)));
        assertTrue(e.problems().get(0).startsWith("must be root"), e::getMessage);
    }
}
