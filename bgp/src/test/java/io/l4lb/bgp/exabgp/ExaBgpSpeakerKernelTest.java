// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static io.l4lb.test.Await.PATIENCE;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.ProcessStatus;
import io.l4lb.bgp.Route;
import io.l4lb.bgp.SpeakerStatus;
import io.l4lb.test.Machine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real ExaBGP, real BIRD, a real router's kernel table. */
@Tag("kernel")
class ExaBgpSpeakerKernelTest {
    private static final String VIP4 = "198.51.100.10/32";
    private static final String VIP6 = "2001:db8:100::10/128";
    private static final String OTHER4 = "198.51.100.11/32";
    private static final String OTHER6 = "2001:db8:100::11/128";
    private static final Route V4 = Route.of(Prefix.parse(VIP4));
    private static final Route V6 = Route.of(Prefix.parse(VIP6));
    private static final Set<Route> BOTH = Set.of(V4, V6);

    @TempDir
    Path directory;

    private BgpLab lab;
    private ExaBgpSpeaker speaker;

    @BeforeEach
    void setUp() throws IOException {
        lab = new BgpLab(directory);
        speaker = start(9);
    }

    @AfterEach
    void tearDown() {
        if (lab != null) {
            lab.close();
        }
    }

    private ExaBgpSpeaker start(int holdSeconds) {
        return lab.speak(lab.settings(holdSeconds));
    }

    private void awaitRouted(String prefix, boolean routed) {
        await((routed ? "a route to " : "no route to ") + prefix, () -> lab.routed(prefix) == routed);
    }

    /** Wanted, sent, and in the router's kernel. */
    private void announceBoth() throws InterruptedException {
        speaker.want(BOTH);
        await("sessions", this::allUp);
        assertTrue(speaker.awaitSettled(PATIENCE), () -> speaker.status().toString());
        awaitRouted(VIP4, true);
        awaitRouted(VIP6, true);
    }

    private boolean allUp() {
        return speaker.status().neighbors().stream().allMatch(n -> n.state() == NeighborStatus.State.UP);
    }

    @Test
    void announcesChangesAndWithdraws() throws Exception {
        announceBoth();
        assertTrue(speaker.status().announced(V4.prefix()));
        assertFalse(speaker.status().withdrawn(V4.prefix()));
        long pid = speaker.status().process().pid();
        Path socket = lab.settings(9).exabgp().socket();
        assertEquals("exabgp", Files.getOwner(socket).getName(), "ExaBGP has no rights");

        speaker.want(Set.of(V4.withMed(50), V6));
        assertTrue(speaker.awaitSettled(PATIENCE));
        await("the metric", () -> lab.bird("show route all for " + VIP4).contains("BGP.med: 50"));

        speaker.want(Set.of(V6));
        await("withdrawn", () -> speaker.status().withdrawn(V4.prefix()));
        awaitRouted(VIP4, false);
        assertTrue(lab.routed(VIP6));

        speaker.shutDown(PATIENCE);
        awaitRouted(VIP6, false);
        await("the end of ExaBGP", () -> ProcessHandle.of(pid).isEmpty());
    }

    @Test
    void killedExaBgpComesBackWithItsRoutes() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        await("the routers' withdrawal", () -> lab.routeEvents.stream().anyMatch(deleted(V4)));
        await("another ExaBGP", () -> {
            ProcessStatus process = speaker.status().process();
            return process.state() == ProcessStatus.State.CONNECTED && process.pid() != pid;
        });
        assertEquals(2, speaker.status().process().starts());
        assertTrue(String.valueOf(speaker.status().process().problem()).contains("ended with status 137"));
        await("sessions", this::allUp);
        assertTrue(speaker.awaitSettled(PATIENCE));
        awaitRouted(VIP4, true);
        awaitRouted(VIP6, true);
    }

    @Test
    void hungExaBgpIsNoticedAndReplaced() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        Machine.run("kill", "-STOP", Long.toString(pid));
        await("that it is noticed", () -> speaker.status().neighbors().stream()
                .allMatch(n -> n.state() == NeighborStatus.State.CONNECTING
                        && "exabgp does not answer".equals(n.lastError())
                        && n.announced().isEmpty()));
        SpeakerStatus status = speaker.status();
        assertEquals(ProcessStatus.State.STARTING, status.process().state());
        assertFalse(status.current());
        assertFalse(status.withdrawn(V4.prefix()), "nobody knows");
        await("another ExaBGP", () -> {
            ProcessStatus process = speaker.status().process();
            return process.state() == ProcessStatus.State.CONNECTED && process.pid() != pid;
        });
        assertTrue(ProcessHandle.of(pid).isEmpty());
        assertTrue(String.valueOf(speaker.status().process().problem()).startsWith("did not answer, ended"));
        await("sessions", this::allUp);
        assertTrue(speaker.awaitSettled(PATIENCE));
        assertTrue(speaker.status().announced(V4.prefix()));
        awaitRouted(VIP4, true);
        awaitRouted(VIP6, true);
    }

    @Test
    void somebodyElsesHungExaBgpIsOnlyReported() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        speaker.close();
        speaker = lab.speak(notRun(lab.settings(9)));
        speaker.want(BOTH);
        assertTrue(speaker.awaitSettled(PATIENCE));
        Machine.run("kill", "-STOP", Long.toString(pid));
        speaker.want(Set.of(V4.withMed(50)));
        await("that it is noticed", () -> speaker.status().neighbors().stream()
                .allMatch(n -> "exabgp does not answer".equals(n.lastError())));
        assertEquals("exabgp does not answer", speaker.status().process().problem());
        Machine.run("kill", "-CONT", Long.toString(pid));
        awaitRouted(VIP6, false);
        assertTrue(speaker.awaitSettled(PATIENCE), () -> speaker.status().toString());
        await("the metric", () -> lab.bird("show route all for " + VIP4).contains("BGP.med: 50"));
        assertEquals(
                new ProcessStatus(ProcessStatus.State.CONNECTED, pid, 0, "exabgp does not answer"),
                speaker.status().process());
    }

    private static BgpSettings notRun(BgpSettings settings) {
        ExaBgpSettings run = settings.exabgp();
        return new BgpSettings(
                settings.localAs(),
                settings.routerId(),
                settings.neighbors(),
                settings.holdTime(),
                new ExaBgpSettings(
                        run.program(), run.directory(), false, run.user(), run.commandPrefix(), run.deadMan()));
    }

    @Test
    void aBridgeThatDiesIsReplacedWithoutTouchingARoute() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        lab.routeEvents.clear();
        killBridge(pid);
        Route other4 = Route.of(Prefix.parse(OTHER4));
        Route other6 = Route.of(Prefix.parse(OTHER6));
        speaker.want(Set.of(V4, V6, other4, other6));
        awaitRouted(OTHER4, true);
        awaitRouted(OTHER6, true);
        assertTrue(speaker.awaitSettled(PATIENCE));
        assertTrue(allUp());
        assertTrue(speaker.status().announced(V4.prefix()));
        assertTrue(speaker.status().announced(V6.prefix()));
        assertEquals(pid, speaker.status().process().pid());
        assertEquals(List.of(), touched());
        speaker.want(Set.of(V6, other4, other6));
        awaitRouted(VIP4, false);
    }

    @Test
    void aSessionThatEndsWhileThereIsNoBridgeComesBack() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        Machine.run("kill", "-STOP", Long.toString(pid));
        killBridge(pid);
        lab.bird("disable d4");
        Machine.run("kill", "-CONT", Long.toString(pid));
        lab.bird("enable d4");
        awaitRouted(VIP4, false);
        awaitRouted(VIP4, true);
        awaitRouted(VIP6, true);
        await("sessions", this::allUp);
        assertTrue(speaker.awaitSettled(PATIENCE));
    }

    private static void killBridge(long exabgp) {
        List<ProcessHandle> bridges =
                ProcessHandle.of(exabgp).orElseThrow().children().toList();
        assertEquals(1, bridges.size());
        bridges.get(0).destroyForcibly();
    }

    private static Predicate<String> deleted(Route route) {
        String address = route.prefix().toString().replaceAll("/.*", "");
        return line -> line.startsWith("Deleted " + address + " ");
    }

    @Test
    void anotherAgentAdoptsWithoutTouchingARoute() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        speaker.close(); // for the bridge the same as a killed agent
        Path pidFile = directory.resolve("speaker/exabgp.pid");
        String right = Files.readString(pidFile);
        Files.writeString(pidFile, "1-1\n"); // the disk was full
        assertEquals(
                List.of(pid),
                LeftBehindExaBgp.in(directory.resolve("speaker")).stream()
                        .map(LeftBehindExaBgp::pid)
                        .toList());
        lab.routeEvents.clear();

        speaker = start(9);
        await(
                "adoption",
                () -> speaker.status().announced(V4.prefix())
                        && speaker.status().announced(V6.prefix()));
        assertEquals(pid, speaker.status().process().pid());
        assertEquals(0, speaker.status().process().starts());
        assertEquals(right, Files.readString(pidFile));
        assertFalse(speaker.status().settled(), "nothing is wanted yet");
        speaker.want(BOTH);
        assertTrue(speaker.awaitSettled(PATIENCE));

        // Whatever the router was told before these two has arrived before them.
        Route other4 = Route.of(Prefix.parse(OTHER4));
        Route other6 = Route.of(Prefix.parse(OTHER6));
        speaker.want(Set.of(V4, V6, other4, other6));
        awaitRouted(OTHER4, true);
        awaitRouted(OTHER6, true);
        assertEquals(List.of(), touched());

        speaker.close();
        speaker = start(9);
        speaker.want(Set.of(V6, other4, other6));
        assertTrue(speaker.awaitSettled(PATIENCE));
        awaitRouted(VIP4, false);
    }

    private List<String> touched() {
        return lab.routeEvents.stream()
                .filter(line -> line.contains("198.51.100.10 ") || line.contains("2001:db8:100::10 "))
                .toList();
    }

    @Test
    void survivesABounceAndAChangeMeanwhile() throws Exception {
        announceBoth();
        lab.bird("disable d4");
        await("down", () -> !allUp());
        awaitRouted(VIP4, false);
        assertTrue(speaker.awaitSettled(PATIENCE), "a neighbor that is down has nothing");
        Route other = Route.of(Prefix.parse(OTHER4)).withMed(20);
        speaker.want(Set.of(other, V6));
        lab.bird("enable d4");
        awaitRouted(OTHER4, true);
        await("sessions", this::allUp);
        assertTrue(speaker.awaitSettled(PATIENCE));
        assertFalse(lab.routed(VIP4));
        assertTrue(lab.routed(VIP6));
    }

    @Test
    void changedSettingsAreReloadedByTheRunningExaBgp() throws Exception {
        announceBoth();
        long pid = speaker.status().process().pid();
        speaker.close();
        speaker = start(3);
        speaker.want(BOTH);
        await("the other hold time", () -> lab.bird("show protocols all d4")
                .matches("(?s).*Hold timer: +[0-9.]+/3\\s.*"));
        await("sessions", this::allUp);
        assertTrue(speaker.awaitSettled(PATIENCE));
        assertEquals(pid, speaker.status().process().pid());
        assertTrue(Files.readString(directory.resolve("speaker/exabgp.conf")).contains("hold-time 3;"));
        awaitRouted(VIP4, true);
        awaitRouted(VIP6, true);
    }
}
