// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static io.l4lb.test.Await.await;

import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A router with BIRD and a director's place for ExaBGP: two network namespaces and a cable between them. */
final class BgpLab implements AutoCloseable {
    private static final String ROUTER = "router";
    private static final String DIRECTOR = "director";

    private static final String BIRD = """
            log "%1$s/bird.log" all;
            router id 10.91.255.1;
            protocol device { }
            protocol kernel { ipv4 { export where source = RTS_BGP; import none; }; }
            protocol kernel { ipv6 { export where source = RTS_BGP; import none; }; }
            template bgp director {
                connect retry time 2; connect delay time 1; error wait time 1,2; hold time 9;
            }
            protocol bgp d4 from director {
                local 10.91.1.1 as 65000; neighbor 10.91.1.2 as 65010; ipv4 { export none; import all; };
            }
            protocol bgp d6 from director {
                local fd91:1::1 as 65000; neighbor fd91:1::2 as 65010; ipv6 { export none; import all; };
            }
            """;

    final List<String> routeEvents = new CopyOnWriteArrayList<>();
    private final Path directory;
    private final Namespaces namespaces = new Namespaces();
    private final List<ExaBgpSpeaker> speakers = new ArrayList<>();
    private final List<Process> processes = new ArrayList<>();

    /** @param directory empty; ExaBGP's user has to reach it */
    BgpLab(Path directory) throws IOException {
        Machine.needNetworkNamespaces();
        Machine.need("exabgp", Files.isExecutable(ExaBgpSettings.DEFAULT_PROGRAM), "exabgp is not installed");
        Machine.need("bird", Machine.succeeds("bird", "--version"), "bird2 is not installed");
        this.directory = Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            build();
        } catch (IOException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private void build() throws IOException {
        namespaces.make(ROUTER);
        namespaces.make(DIRECTOR);
        namespaces.connect(ROUTER, "v0", DIRECTOR, "v0");
        address(ROUTER, 1);
        address(DIRECTOR, 2);
        Process monitor = spawn("stdbuf", "-oL", "ip", "-n", namespaces.name(ROUTER), "monitor", "route");
        Thread reader = new Thread(() -> read(monitor), "route-monitor");
        reader.setDaemon(true);
        reader.start();
        Path configuration = Files.writeString(directory.resolve("bird.conf"), BIRD.formatted(directory));
        Path pid = directory.resolve("bird.pid");
        spawn(words("ip netns exec %s bird -f -c %s -s %s -P %s"
                .formatted(namespaces.name(ROUTER), configuration, control(), pid)));
        await("bird's control socket", () -> Files.exists(control()));
    }

    private void address(String host, int number) {
        namespaces.ip(host, "addr add 10.91.1." + number + "/24 dev v0");
        namespaces.ip(host, "addr add fd91:1::" + number + "/64 dev v0");
    }

    private void read(Process monitor) {
        try (BufferedReader lines = monitor.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                routeEvents.add(line);
            }
        } catch (IOException e) {
            routeEvents.add("monitor: " + e);
        }
    }

    BgpSettings settings(int holdSeconds) {
        return new BgpSettings(
                65010,
                (Inet4Address) IpLiteral.parse("10.91.255.11"),
                List.of(neighbor("10.91.1.1", "10.91.1.2"), neighbor("fd91:1::1", "fd91:1::2")),
                Duration.ofSeconds(holdSeconds),
                new ExaBgpSettings(
                        ExaBgpSettings.DEFAULT_PROGRAM,
                        directory.resolve("speaker"),
                        true,
                        ExaBgpSettings.DEFAULT_USER,
                        List.of("ip", "netns", "exec", namespaces.name(DIRECTOR)),
                        Duration.ZERO));
    }

    private static Neighbor neighbor(String address, String local) {
        return new Neighbor(IpLiteral.parse(address), 65000, IpLiteral.parse(local));
    }

    /** A speaker with these settings; it is closed with the lab if not before. */
    ExaBgpSpeaker speak(BgpSettings settings) {
        ExaBgpSpeaker speaker = ExaBgpSpeaker.start(settings, () -> {}, Clock.systemUTC());
        speakers.add(speaker);
        return speaker;
    }

    /** Whether the router's kernel has the route. */
    boolean routed(String prefix) {
        String family = prefix.contains(":") ? "-6" : "-4";
        return !namespaces.ip(ROUTER, family + " route show " + prefix).isBlank();
    }

    /** What BIRD answers; that it knows no such route is an answer too, although birdc(8) then fails. */
    String bird(String command) {
        return Machine.attempt("", words("birdc -s " + control() + " " + command))
                .output();
    }

    private Path control() {
        return directory.resolve("bird.ctl");
    }

    private Process spawn(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        processes.add(process);
        return process;
    }

    private static String[] words(String line) {
        return line.split(" ", -1);
    }

    /** The speakers, everything else that runs in our own namespaces, then the namespaces. */
    @Override
    public void close() {
        try (namespaces) {
            speakers.forEach(ExaBgpSpeaker::close);
            processes.forEach(Process::destroyForcibly);
            for (String host : List.of(DIRECTOR, ROUTER)) {
                await("the end of what runs at the " + host, () -> endAll(host));
            }
        }
    }

    /** Whether nothing was left to end. */
    private boolean endAll(String host) {
        List<ProcessHandle> left = Machine.attempt("", "ip", "netns", "pids", namespaces.name(host))
                .output()
                .lines()
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
        left.forEach(ProcessHandle::destroyForcibly);
        return left.isEmpty();
    }
}
