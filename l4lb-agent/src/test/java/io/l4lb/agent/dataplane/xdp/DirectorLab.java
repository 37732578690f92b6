// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.XdpSection;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;
import io.l4lb.xdp.TestRun;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A director with one interface, d0, and its router behind it, each in a namespace; the router's address is a configured
 * neighbour. Pins go into a bpffs of the lab's own.
 */
final class DirectorLab implements AutoCloseable {
    static final String DIRECTOR = "director";
    static final String ROUTER = "router";
    static final String GATEWAY_MAC = "02:00:00:00:02:01";
    static final int FLOWS = 65536;

    private final Namespaces namespaces = new Namespaces();
    private @Nullable TemporaryBpfFs pins;

    /**
     * Builds it, or skips the test.
     *
     * @return the name of the director's namespace
     */
    String build() {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
        pins = new TemporaryBpfFs();
        namespaces.make(DIRECTOR);
        namespaces.make(ROUTER);
        connect();
        return namespaces.name(DIRECTOR);
    }

    /** The link, with all that belongs to it. */
    void connect() {
        namespaces.connect(DIRECTOR, "d0", ROUTER, "r0");
        namespaces.batch(ROUTER, """
                link set r0 address %s
                addr add 10.2.0.1/24 dev r0
                addr add fd00:2::1/64 dev r0 nodad
                """.formatted(GATEWAY_MAC));
        namespaces.batch(DIRECTOR, """
                addr add 10.2.0.2/24 dev d0
                addr add fd00:2::2/64 dev d0 nodad
                route add default via 10.2.0.1
                route add default via fd00:2::1
                """);
        gateway(GATEWAY_MAC);
    }

    /** A second link to the router, d1 to r1, by which no route leads. */
    void connectSecond() {
        namespaces.connect(DIRECTOR, "d1", ROUTER, "r1");
        router("addr add 10.4.0.1/24 dev r1");
        director("addr add 10.4.0.2/24 dev d1");
    }

    /** A further link of the director to the router, with nothing on it. */
    void connectFurther(String directorEnd, String routerEnd) {
        namespaces.connect(DIRECTOR, directorEnd, ROUTER, routerEnd);
    }

    /** Configures another MAC for the router, as the director sees it. */
    void gateway(String mac) {
        director("neigh replace 10.2.0.1 lladdr " + mac + " dev d0");
        director("neigh replace fd00:2::1 lladdr " + mac + " dev d0");
    }

    /** Makes the director forget the router's MAC, and the router answer no question for it. */
    void loseGateway() {
        router("link set r0 arp off");
        director("neigh del 10.2.0.1 dev d0");
        director("neigh del fd00:2::1 dev d0");
    }

    /** Runs ip(8) on the director. */
    String director(String arguments) {
        return namespaces.ip(DIRECTOR, arguments);
    }

    /** Runs ip(8) on the router. */
    String router(String arguments) {
        return namespaces.ip(ROUTER, arguments);
    }

    /** The name of the router's namespace. */
    String routerNamespace() {
        return namespaces.name(ROUTER);
    }

    /** A veth passes on what XDP sends only if the other end, here one of the router's, has a program too. */
    XdpAttachment receiveOn(String routerEnd) throws Exception {
        return ThreadContext.inNamespace(routerNamespace(), () -> {
            try (BpfObject object =
                            BpfObject.open("pass", BpfProgram.PASS.object()).load();
                    ProgramHandle program = object.program("pass")) {
                return Links.attachXdp(program, Interfaces.index(routerEnd).orElseThrow(), XdpMode.NATIVE);
            }
        });
    }

    /** The name of the director's namespace. */
    String directorNamespace() {
        return namespaces.name(DIRECTOR);
    }

    /** What an interface's counter in sysfs says. */
    long counter(String host, String interfaceName, String counter) {
        String file = "/sys/class/net/" + interfaceName + "/statistics/" + counter;
        return Long.parseLong(namespaces.exec(host, "cat " + file).trim());
    }

    /** IPv4 packets that came as far as the director's network stack. */
    long packetsInStack() {
        /* Two lines of Ip: names, values. */
        String[] lines = namespaces
                .exec(DIRECTOR, "cat /proc/net/snmp")
                .lines()
                .filter(line -> line.startsWith("Ip:"))
                .toArray(String[]::new);
        String[] names = lines[0].split(" ", -1);
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals("InReceives")) {
                return Long.parseLong(lines[1].split(" ", -1)[i]);
            }
        }
        throw new IllegalStateException(lines[0]);
    }

    Path pinDirectory() {
        return Objects.requireNonNull(pins).path("l4lb");
    }

    Path pin(String name) {
        return pinDirectory().resolve(name);
    }

    XdpSection section() {
        return section("d0", pinDirectory(), FLOWS);
    }

    static XdpSection section(String interfaceName, Path pinDirectory, int flows) {
        return new XdpSection(
                interfaceName, XdpSection.Mode.AUTO, XdpSection.NextHop.GATEWAY, pinDirectory, 1500, flows);
    }

    /** With what is configured by default, on these interfaces. */
    AttachmentPlan plan(String... interfaces) {
        AttachmentPlan plan = XdpDataplane.plan(section(), Samples.SEED);
        return new AttachmentPlan(
                List.of(interfaces), plan.mode(), plan.pinDir(), plan.flows(), plan.chain(), plan.constants());
    }

    /** In the director's namespace. */
    XdpDataplane open(AttachmentPlan plan) {
        return XdpDataplane.open(section(), Samples.SEED, plan);
    }

    /** In the director's namespace. */
    XdpDataplane open() {
        return XdpDataplane.open(section(), Samples.SEED);
    }

    /** In the director's namespace: opened, with a service, and the gateway known. */
    XdpDataplane openWith(Programs program, Set<InetAddress> reals) {
        XdpDataplane dataplane = open();
        program.installOn(dataplane);
        dataplane.follow(reals, Set.of());
        return dataplane;
    }

    /** In the director's namespace: runs the program that is attached to d0 on a frame. */
    static TestRun run(byte[] frame) {
        try (ProgramHandle attached =
                Links.attachedXdp(index()).orElseThrow().program().orElseThrow()) {
            return attached.testRun(frame);
        }
    }

    /** The programs that links hold on this kernel, as their pins name them; on older ones a filter holds the probe program. */
    static List<String> linked() {
        return KernelRelease.here().isBefore(6, 6) ? List.of("balancer") : List.of("balancer", "probe");
    }

    /** Whether something holds the probe program on one of the director's interfaces. */
    boolean hasProbe(String name) {
        return Files.exists(pin("link_probe_" + name))
                || FilterHold.filter(Direction.EGRESS)
                        .programId(Interfaces.index(name).orElseThrow())
                        .isPresent();
    }

    static int index() {
        return Interfaces.index("d0").orElseThrow();
    }

    @Override
    public void close() {
        namespaces.close();
        if (pins != null) {
            pins.close();
        }
    }
}
