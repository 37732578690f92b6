// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.hashing.HashSeed;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryBpfFs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A director with an interface that leads to a router, for one test. */
final class IpvsLab implements AutoCloseable {
    static final HashSeed SEED = new HashSeed(1, 2);
    static final InetAddress ONE = ip("10.0.1.1");
    static final InetAddress TWO = ip("10.0.1.2");
    static final InetAddress SIX = ip("fd00::3");

    private static final List<InetAddress> REALS = List.of(ONE, TWO, SIX);

    private final Namespaces namespaces = new Namespaces();
    private final Path directory;
    private @Nullable TemporaryBpfFs pins;
    Instant now = Instant.EPOCH;

    IpvsLab() {
        try {
            directory = Files.createTempDirectory("l4lb-ipvs");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The director's namespace, with an address of each family and routes to the reals. */
    String build() {
        Machine.needNetworkNamespaces();
        Machine.needBpf();
        pins = new TemporaryBpfFs();
        namespaces.make("director");
        namespaces.make("router");
        namespaces.connect("director", "eth0", "router", "director");
        String director = namespaces.name("director");
        for (String command : List.of(
                "link set lo up",
                "addr add 10.0.0.2/24 dev eth0",
                "addr add fd00:0:0:1::2/64 dev eth0 nodad",
                "link set eth0 up",
                "route add default via 10.0.0.1",
                "-6 route add default via fd00:0:0:1::1")) {
            tool(director, command);
        }
        tool(namespaces.name("router"), "link set director up");
        return director;
    }

    /** The router's namespace. */
    String router() {
        return namespaces.name("router");
    }

    static String tool(String namespace, String command) {
        String[] words = ("ip -n " + namespace + " " + command).split(" ");
        return Machine.run(words);
    }

    IpvsSection section() {
        return section(IpvsSection.Maglev.KERNEL);
    }

    IpvsSection section(IpvsSection.Maglev maglev) {
        return new IpvsSection(
                List.of("eth0"),
                maglev,
                pins == null ? IpvsSection.DEFAULT_PIN_DIR : pins.path("l4lb-ipvs"),
                Duration.ofMinutes(5),
                IpvsSection.Timeouts.OF_THE_KERNEL);
    }

    Path state() {
        return directory.resolve("state");
    }

    /** With the kernel's IPVS. */
    IpvsDataplane open() {
        return prepared(IpvsDataplane.open(section(), state(), SEED, () -> now));
    }

    /** With another IPVS, and settings that are files. */
    IpvsDataplane open(FakeIpvs fake) {
        return open(fake, IpvsSection.Maglev.KERNEL);
    }

    IpvsDataplane open(FakeIpvs fake, IpvsSection.Maglev maglev) {
        return open(fake, maglev, state());
    }

    /** What {@code ip} says in the director's namespace. */
    String director(String command) {
        return tool(namespaces.name("director"), command);
    }

    Path sysctls() {
        return directory.resolve("sysctls");
    }

    IpvsDataplane open(FakeIpvs fake, IpvsSection.Maglev maglev, Path state) {
        Path sysctls = sysctls();
        for (String file : List.of(
                "net/ipv4/vs/expire_nodest_conn",
                "net/ipv4/vs/sloppy_tcp",
                "net/ipv4/conf/all/rp_filter",
                "net/ipv4/conf/eth0/rp_filter",
                "net/ipv4/conf/all/accept_local",
                "net/ipv4/conf/eth0/accept_local")) {
            write(sysctls.resolve(file));
        }
        IpvsDataplane.Machine machine = new IpvsDataplane.Machine(fake::client, sysctls, connections());
        return prepared(IpvsDataplane.open(section(maglev), state, SEED, () -> now, machine));
    }

    /** What stands for IPVS's connections; empty at first. */
    Path connections() {
        Path file = directory.resolve("ip_vs_conn");
        write(file, "Pro FromIP   FPrt ToIP     TPrt DestIP   DPrt State       Expires PEName PEData\n");
        return file;
    }

    private static void write(Path file) {
        write(file, "0\n");
    }

    private static void write(Path file, String text) {
        try {
            if (Files.notExists(file)) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, text);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As the first pass of an agent does. */
    private static IpvsDataplane prepared(IpvsDataplane dataplane) {
        dataplane.follow(Set.copyOf(REALS), Set.of(ip("192.0.2.10"), ip("2001:db8::10")));
        Marks marks = new Marks();
        marks.adopt(dataplane.marks());
        dataplane.probes(marks.assign(Set.of(path(ONE), path(TWO), path(SIX)), dataplane.foreignMarks()));
        return dataplane;
    }

    static ProbePath path(InetAddress real) {
        return new ProbePath(real, Forwarding.IPIP);
    }

    @Override
    public void close() {
        namespaces.close();
        if (pins != null) {
            pins.close();
        }
        Machine.run("rm", "-r", directory.toString());
    }
}
