// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.ProcessStatus;
import io.l4lb.test.Await;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supervision, with a program that is not ExaBGP and a clock that stands still. */
class ExaBgpProcessTest {
    @TempDir
    Path directory;

    private BgpSettings settings(Path program, boolean run) {
        return new BgpSettings(
                65010,
                (Inet4Address) IpLiteral.parse("192.0.2.1"),
                List.of(
                        new Neighbor(IpLiteral.parse("127.0.0.1"), 65000, null),
                        new Neighbor(IpLiteral.parse("2001:db8::1"), 65000, IpLiteral.parse("2001:db8::2"))),
                BgpSettings.DEFAULT_HOLD_TIME,
                new ExaBgpSettings(
                        program, directory.resolve("speaker"), run, "no-such-user", List.of(), Duration.ZERO));
    }

    private ExaBgpFiles files(Path program, boolean run) {
        return new ExaBgpFiles(settings(program, run));
    }

    private Path dyingProgram() throws IOException {
        Path program = directory.resolve("dies");
        Files.writeString(program, "#!/bin/sh\necho 'no such thing'\nexit 3\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private static long seconds(long seconds) {
        return TimeUnit.SECONDS.toNanos(seconds);
    }

    @Test
    void whatDiesAtOnceIsStartedAgainEverLater() throws IOException {
        ExaBgpProcess process = new ExaBgpProcess(files(dyingProgram(), true));
        assertFalse(process.gone(), "nobody has looked");
        process.tend(0);
        Await.await("the second start, which is due at once", () -> {
            process.tend(0);
            return process.status().starts() == 2;
        });
        long now = 0;
        for (int i = 0; i < 4; i++) {
            long died = now;
            Await.await("its death", () -> {
                process.tend(died);
                return process.gone();
            });
            assertEquals(ProcessStatus.State.STOPPED, process.status().state());
            assertEquals(
                    "ended with status 3; its last words: no such thing",
                    process.status().problem());
            process.tend(now + seconds(1L << i) - 1);
            assertEquals(2 + i, process.status().starts(), "too early");
            now += seconds(1L << i);
            process.tend(now);
            assertEquals(3 + i, process.status().starts());
        }
    }

    @Test
    void aProgramThatIsNotThereIsAProblem() {
        ExaBgpProcess process = new ExaBgpProcess(files(directory.resolve("missing"), true));
        process.tend(0); // setsid starts, and says so
        Await.await("its death", () -> {
            process.tend(0);
            return process.status().problem() != null;
        });
        assertTrue(String.valueOf(process.status().problem()).contains("missing"), String.valueOf(process.status()));
    }

    private Path deafProgram() throws IOException {
        Path program = directory.resolve("deaf");
        Files.writeString(program, "#!/bin/sh\ntrap '' TERM\necho trapped\nwhile :; do sleep 1000; done\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void oneThatFallsSilentIsEndedAndStartedAgain() throws Exception {
        ExaBgpFiles files = files(deafProgram(), true);
        ExaBgpProcess process = new ExaBgpProcess(files);
        process.tend(0);
        Await.await("its trap", () -> files.lastLogLine().equals("trapped"));
        ProcessHandle first = ProcessHandle.of(process.status().pid()).orElseThrow();
        try {
            ProcessIdentity identity = ProcessIdentity.of(first.pid()).orElseThrow();
            process.adopted(0, identity);
            process.answers(0);
            assertEquals(ProcessStatus.State.CONNECTED, process.status().state());
            assertEquals(Long.MAX_VALUE, process.deadline(0));

            long noticed = seconds(10);
            process.silent(noticed);
            assertEquals(ProcessStatus.State.STARTING, process.status().state());
            assertEquals("exabgp does not answer", process.status().problem());
            process.adopted(noticed, identity); // a greeting of its bridge proves nothing
            long end = noticed + seconds(5);
            assertEquals(end, process.deadline(noticed));
            process.tend(end - 1);
            assertEquals("exabgp does not answer", process.status().problem());
            process.silent(end);
            process.tend(end); // does not listen to that
            assertEquals("does not answer and is ended", process.status().problem());
            assertTrue(first.isAlive());
            process.tend(end + seconds(2));
            first.onExit().get(30, TimeUnit.SECONDS);
            process.tend(end + seconds(2));
            assertTrue(process.takeEnded());
            assertFalse(process.takeEnded());
            assertEquals(2, process.status().starts());
            String problem = String.valueOf(process.status().problem());
            assertTrue(problem.startsWith("did not answer, ended with status 137; "), problem);
        } finally {
            first.destroyForcibly();
            ProcessHandle.of(process.status().pid()).ifPresent(last -> {
                last.descendants().forEach(ProcessHandle::destroyForcibly);
                last.destroyForcibly();
            });
        }
    }

    @Test
    void whatIsCertainlyNotOurExaBgpIsNeverEnded() throws Exception {
        Process stranger = new ProcessBuilder("sleep", "1000").start();
        try {
            for (boolean run : new boolean[] {true, false}) {
                ExaBgpProcess process = new ExaBgpProcess(files(dyingProgram(), run));
                process.adopted(0, ProcessIdentity.of(stranger.pid()).orElseThrow());
                process.answers(0);
                process.silent(0);
                process.tend(seconds(60));
                assertTrue(stranger.isAlive());
                assertEquals(0, process.status().starts());
                assertTrue(String.valueOf(process.status().problem()).contains("does not answer"));
            }
        } finally {
            stranger.destroyForcibly();
        }
    }

    @Test
    void somebodyElsesExaBgpIsLeftAlone() throws IOException {
        ExaBgpProcess process = new ExaBgpProcess(files(dyingProgram(), false));
        process.tend(0);
        assertEquals(0, process.status().starts());
        assertFalse(process.gone());
        assertFalse(Files.exists(directory.resolve("speaker")));
    }

    @Test
    void writesItsFilesOnce() throws IOException {
        ExaBgpFiles files = files(dyingProgram(), true);
        assertTrue(files.write());
        assertFalse(files.write());
        String configuration = Files.readString(files.configuration());
        assertTrue(configuration.contains("local-address 127.0.0.1;"), configuration);
        assertTrue(configuration.contains("neighbor 2001:db8::1 {"), configuration);
        assertTrue(configuration.contains("family { ipv6 unicast; }"), configuration);
        Files.writeString(files.configuration(), "something else");
        assertTrue(files.write());
        assertEquals(configuration, Files.readString(files.configuration()));
        try (var list = Files.list(directory.resolve("speaker"))) {
            assertEquals(3, list.count(), "exabgp.conf, bridge.py, run");
        }
    }

    @Test
    void remembersOnlyALivingExaBgp() throws IOException {
        ExaBgpFiles files = files(dyingProgram(), true);
        files.write();
        ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow();
        assertTrue(self.alive());
        assertEquals(self, ProcessIdentity.parse(self.toString()));
        assertFalse(new ProcessIdentity(self.pid(), self.startTicks() + 1).alive());
        files.remember(self);
        assertTrue(files.running().isEmpty(), "this is no ExaBGP");
    }

    /** Named as one is; it waits for its standard input. */
    private Process standIn(ExaBgpFiles files, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "read line", "exabgp"));
        command.addAll(List.of(more));
        command.add(files.configuration().toString());
        return new ProcessBuilder(command).start();
    }

    private Path pidFile() {
        return directory.resolve("speaker/exabgp.pid");
    }

    /** As a full file system does, and root cannot write there either. */
    private Path letNothingBeRemembered() throws IOException {
        return Files.createDirectories(directory.resolve("speaker/exabgp.pid.new"));
    }

    @Test
    void oneThatCannotBeRememberedDoesNotLive() throws IOException {
        ExaBgpFiles files = files(deafProgram(), true);
        Path obstacle = letNothingBeRemembered();
        ExaBgpProcess process = new ExaBgpProcess(files);
        BgpException refused = assertThrows(BgpException.class, () -> process.tend(0));
        assertTrue(String.valueOf(refused.getMessage()).startsWith("writing ExaBGP's process to " + pidFile()));
        assertTrue(process.gone());
        assertEquals(1, process.status().starts());
        assertEquals(List.of(), files.running());

        Files.delete(obstacle);
        process.tend(0);
        ProcessIdentity second = ProcessIdentity.of(process.status().pid()).orElseThrow();
        try {
            assertEquals(2, process.status().starts());
            assertEquals(second + "\n", Files.readString(pidFile()));
        } finally {
            second.end(true);
        }
    }

    @Test
    void anAdoptedOneIsRememberedAsSoonAsThatIsPossible() throws IOException {
        ExaBgpFiles files = files(dyingProgram(), true);
        files.write();
        Path obstacle = letNothingBeRemembered();
        Files.writeString(pidFile(), "1-1\n");
        Process exabgp = standIn(files);
        try {
            ProcessIdentity identity = ProcessIdentity.of(exabgp.pid()).orElseThrow();
            ExaBgpProcess process = new ExaBgpProcess(files);
            process.adopted(0, identity);
            process.answers(0);
            assertEquals(ProcessStatus.State.CONNECTED, process.status().state());
            String problem = String.valueOf(process.status().problem());
            assertTrue(problem.startsWith("writing ExaBGP's process to " + pidFile()), problem);

            Files.delete(obstacle);
            process.answers(ExaBgpProcess.REMEMBER_AGAIN - 1);
            assertEquals("1-1\n", Files.readString(pidFile()));
            process.answers(ExaBgpProcess.REMEMBER_AGAIN);
            assertEquals(identity + "\n", Files.readString(pidFile()));
            assertNull(process.status().problem());
            assertEquals(List.of(identity), files.running());
        } finally {
            exabgp.destroyForcibly();
        }
    }

    @Test
    void aStrangerIsNotRemembered() throws IOException {
        ExaBgpFiles files = files(dyingProgram(), true);
        files.write();
        Files.writeString(pidFile(), "1-1\n");
        new ExaBgpProcess(files)
                .adopted(0, ProcessIdentity.of(ProcessHandle.current().pid()).orElseThrow());
        assertEquals("1-1\n", Files.readString(pidFile()));
    }

    @Test
    void oneThatWasNeverRememberedIsFound() throws IOException {
        ExaBgpFiles files = files(dyingProgram(), true);
        files.write();
        Files.writeString(pidFile(), "1-1\n");
        Process reader = standIn(files); // an editor, say
        Process exabgp = standIn(files, "--env", files.environment().toString());
        try {
            ProcessIdentity identity = ProcessIdentity.of(exabgp.pid()).orElseThrow();
            Await.await("its arguments", () -> files.running().equals(List.of(identity)));
            ExaBgpProcess process = new ExaBgpProcess(files);
            process.tend(0);
            assertEquals(0, process.status().starts(), "another one would fight with it");
            assertEquals(exabgp.pid(), process.status().pid());
        } finally {
            exabgp.destroyForcibly();
            reader.destroyForcibly();
        }
    }

    @Test
    void pathsThatTheConfigurationCannotHoldAreRefused() {
        for (String path : List.of("relative", "/with space", "/semi;colon", "/new\nline", "/" + "x".repeat(100))) {
            assertThrows(IllegalArgumentException.class, () -> ExaBgpSettings.in(Path.of(path)), path);
        }
    }

    @Test
    void aNeighborThatCannotBeReachedIsSaid() {
        BgpSettings unreachable = new BgpSettings(
                65010,
                (Inet4Address) IpLiteral.parse("192.0.2.1"),
                List.of(new Neighbor(IpLiteral.parse("255.255.255.255"), 65000, null)),
                BgpSettings.DEFAULT_HOLD_TIME,
                ExaBgpSettings.in(directory));
        BgpException e = assertThrows(BgpException.class, () -> new ExaBgpFiles(unreachable).write());
        assertTrue(String.valueOf(e.getMessage()).contains("255.255.255.255"), e.getMessage());
    }
}
