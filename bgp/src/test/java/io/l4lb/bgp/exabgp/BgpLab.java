// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.Inet4Address;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A router with BIRD and a director's place for ExaBGP: two network namespaces and a cable between them. */
final class BgpLab implements Closeable {
    static final Duration PATIENCE = Duration.ofSeconds(60);

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

    final Path directory;
    final List<String> routeEvents = new CopyOnWriteArrayList<>();
    private final String router;
    private final String director;
    private final List<Process> processes = new ArrayList<>();

    BgpLab() throws IOException {
        Requirement.check(
                "netns", works("ip", "netns", "list") && isRoot(), "network namespaces need root and iproute2");
        Requirement.check("exabgp", Files.isExecutable(ExaBgpSettings.DEFAULT_PROGRAM), "exabgp is not installed");
        Requirement.check("bird", works("bird", "--version"), "bird2 is not installed");
        directory = Files.createTempDirectory("l4lb-bgp-");
        // ExaBGP's user has to reach it.
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        String suffix = Long.toHexString(ProcessHandle.current().pid()) + Long.toHexString(System.nanoTime() & 0xffff);
        router = "l4bgpr" + suffix;
        director = "l4bgpd" + suffix;
        try {
            build();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void build() throws IOException {
        run("ip", "netns", "add", router);
        run("ip", "netns", "add", director);
        run("ip", "link", "add", "v0", "netns", router, "type", "veth", "peer", "name", "v0", "netns", director);
        plug(router, 1);
        plug(director, 2);
        Process monitor = spawn("stdbuf", "-oL", "ip", "-n", router, "monitor", "route");
        Thread reader = new Thread(() -> read(monitor), "route-monitor");
        reader.setDaemon(true);
        reader.start();
        Files.writeString(directory.resolve("bird.conf"), BIRD.formatted(directory));
        spawn(
                "ip",
                "netns",
                "exec",
                router,
                "bird",
                "-f",
                "-c",
                directory + "/bird.conf",
                "-s",
                control(),
                "-P",
                directory + "/bird.pid");
        await("bird's control socket", () -> Files.exists(Path.of(control())));
    }

    private static void plug(String namespace, int host) throws IOException {
        run("ip", "-n", namespace, "link", "set", "lo", "up");
        run("ip", "-n", namespace, "addr", "add", "10.91.1." + host + "/24", "dev", "v0");
        run("ip", "-n", namespace, "addr", "add", "fd91:1::" + host + "/64", "dev", "v0", "nodad");
        run("ip", "-n", namespace, "link", "set", "v0", "up");
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
                        List.of("ip", "netns", "exec", director),
                        Duration.ZERO));
    }

    private static Neighbor neighbor(String address, String local) {
        return new Neighbor(IpLiteral.parse(address), 65000, IpLiteral.parse(local));
    }

    /** Whether the router's kernel has the route. */
    boolean routed(String prefix) {
        return !output("ip", "-n", router, prefix.contains(":") ? "-6" : "-4", "route", "show", prefix)
                .isBlank();
    }

    String bird(String... command) {
        List<String> words = new ArrayList<>(List.of("birdc", "-s", control()));
        words.addAll(List.of(command));
        return output(words.toArray(String[]::new));
    }

    private String control() {
        return directory + "/bird.ctl";
    }

    static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private Process spawn(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .start();
        processes.add(process);
        return process;
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
    }

    private static boolean works(String... command) {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    static String output(String... command) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Everything that runs in our own namespaces, then the namespaces and the files. */
    @Override
    public void close() throws IOException {
        for (String namespace : List.of(director, router)) {
            output("ip", "netns", "pids", namespace)
                    .lines()
                    .filter(line -> line.matches("[0-9]+"))
                    .forEach(pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly));
            output("ip", "netns", "del", namespace);
        }
        for (Process process : processes) {
            process.destroyForcibly();
            process.onExit().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
