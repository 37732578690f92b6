// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.health.Marks;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.hashing.HashSeed;
import io.l4lb.test.Machine;
import io.l4lb.test.MarkedConnection;
import io.l4lb.test.NamespaceThread;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A client, a director with the kernel's IPVS and three reals around a router; reals answer with their number. */
final class TrafficLab implements AutoCloseable {
    static final InetAddress VIP = ip("192.0.2.10");
    static final InetAddress VIP6 = ip("2001:db8::10");
    static final int PORT = 80;
    static final int REALS = 3;
    static final Duration DRAIN = Duration.ofMinutes(5);

    private static final int PATIENCE_MILLIS = 5000;

    private final Namespaces namespaces = new Namespaces();
    private final List<AutoCloseable> servers = new ArrayList<>();
    private final Path state;
    final NamespaceThread director;
    private boolean onLink;
    volatile Instant now = Instant.EPOCH;

    TrafficLab() throws Exception {
        Machine.needNetworkNamespaces();
        Machine.needIpvs();
        state = Files.createTempDirectory("l4lb-traffic").resolve("state");
        for (String host : List.of("router", "client", "director", "real1", "real2", "real3")) {
            namespaces.make(host);
        }
        join("client", 0, 10);
        join("director", 1, 2);
        for (int real = 1; real <= REALS; real++) {
            join("real" + real, 1 + real, 2);
            prepare(real);
        }
        namespaces.exec("router", "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
        namespaces.batch("router", "route add 192.0.2.10 via 10.0.1.2\nroute add 2001:db8::10 via fd00:0:0:1::2\n");
        director = new NamespaceThread(namespaces.name("director"));
    }

    private void join(String host, int network, int number) {
        namespaces.connect(host, "eth0", "router", "r-" + host);
        namespaces.batch(
                "router",
                "addr add 10.0." + network + ".1/24 dev r-" + host + "\naddr add fd00:0:0:" + network + "::1/64 dev r-"
                        + host + " nodad\n");
        namespaces.batch(
                host,
                "addr add 10.0." + network + "." + number + "/24 dev eth0\naddr add fd00:0:0:" + network + "::"
                        + number + "/64 dev eth0 nodad\nroute add default via 10.0." + network
                        + ".1\nroute add ::/0 via fd00:0:0:" + network + "::1\n");
    }

    private void prepare(int real) throws Exception {
        String host = "real" + real;
        namespaces.batch(host, """
                addr add 192.0.2.10/32 dev lo
                addr add 2001:db8::10/128 dev lo nodad
                link set tunl0 up
                link set sit0 up
                """);
        namespaces.exec(host, "sysctl -qw net.ipv4.conf.tunl0.rp_filter=0 net.ipv4.conf.all.rp_filter=0");
        ServerSocket tcp = inside(host, () -> new ServerSocket(PORT));
        DatagramSocket udp = inside(host, () -> new DatagramSocket(new InetSocketAddress(VIP, PORT)));
        servers.add(tcp);
        servers.add(udp);
        new Thread(() -> serve(tcp, real), host).start();
        new Thread(() -> serve(udp, real), host + "-udp").start();
    }

    private <T> T inside(String host, java.util.concurrent.Callable<T> code) throws Exception {
        return ThreadContext.inNamespace(namespaces.name(host), code);
    }

    /** A line with its number for each line. */
    private static void serve(ServerSocket server, int real) {
        try {
            while (true) {
                Socket connection = server.accept();
                new Thread(() -> answer(connection, real), "connection").start();
            }
        } catch (IOException e) {
            // closed: the lab ends
        }
    }

    private static void answer(Socket connection, int real) {
        try (connection) {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
            while (lines.readLine() != null) {
                connection.getOutputStream().write((real + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // reset: that is what some tests are about
        }
    }

    private static void serve(DatagramSocket server, int real) {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[100], 100);
                server.receive(packet);
                byte[] answer = {(byte) real};
                server.send(new DatagramPacket(answer, 1, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            // closed: the lab ends
        }
    }

    static InetAddress real(int number) {
        return ip("10.0." + (1 + number) + ".2");
    }

    /** As an agent's first pass does; call it on the director's thread. */
    IpvsDataplane open() {
        return open(
                interfaces(),
                Stream.of(real(1), real(2), real(3))
                        .map(real -> new ProbePath(real, Forwarding.IPIP))
                        .collect(Collectors.toSet()));
    }

    /** The same for other ways to reals, by other interfaces. */
    IpvsDataplane open(List<String> interfaces, Set<ProbePath> ways) {
        IpvsSection section = new IpvsSection(
                interfaces,
                IpvsSection.Maglev.KERNEL,
                IpvsSection.DEFAULT_PIN_DIR,
                DRAIN,
                IpvsSection.Timeouts.OF_THE_KERNEL);
        IpvsDataplane dataplane = IpvsDataplane.open(section, state, new HashSeed(1, 2), () -> now);
        dataplane.follow(ways.stream().map(ProbePath::real).collect(Collectors.toSet()), Set.of(VIP, VIP6));
        Marks marks = new Marks();
        marks.adopt(dataplane.marks());
        dataplane.probes(marks.assign(ways, Set.of()));
        return dataplane;
    }

    /** A client's connection. */
    final class Flow implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader lines;

        Flow(InetAddress vip) throws Exception {
            socket = inside("client", () -> {
                Socket made = new Socket();
                made.connect(new InetSocketAddress(vip, PORT), PATIENCE_MILLIS);
                return made;
            });
            socket.setSoTimeout(PATIENCE_MILLIS);
            lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        /** The real that answers; empty: none does. */
        Optional<Integer> real() {
            try {
                socket.getOutputStream().write('\n');
                return Optional.ofNullable(lines.readLine()).map(Integer::valueOf);
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    Flow connect() throws Exception {
        return connect(VIP);
    }

    Flow connect(InetAddress vip) throws Exception {
        return new Flow(vip);
    }

    /**
     * One from the director itself, with a mark.
     *
     * @return what the real answers; empty: none does
     */
    Optional<Integer> probe(InetAddress vip, int mark) throws Exception {
        byte[] line = "\n".getBytes(StandardCharsets.US_ASCII);
        return director.call(() -> MarkedConnection.exchange(vip, PORT, mark, line, PATIENCE_MILLIS / 1000)
                .map(answer -> Integer.valueOf(new String(answer, StandardCharsets.US_ASCII).strip())));
    }

    /** The director's. */
    List<String> interfaces() {
        return onLink ? List.of("eth0", "lan") : List.of("eth0");
    }

    /** A link of the director's to a real beside those by the router, at both the interface {@code lan}. */
    void direct(int real) {
        onLink = true;
        String host = "real" + real;
        namespaces.connect("director", "lan", host, "lan");
        namespaces.batch("director", "addr add 10.0.9.1/24 dev lan\n");
        namespaces.batch(host, "addr add 10.0.9.2/24 dev lan\n");
        namespaces.exec(host, "sysctl -qw net.ipv4.conf.lan.rp_filter=0");
    }

    /** A client's UDP socket towards the VIP. */
    DatagramSocket udp() throws Exception {
        DatagramSocket socket = inside("client", DatagramSocket::new);
        socket.setSoTimeout(PATIENCE_MILLIS);
        servers.add(socket);
        return socket;
    }

    static int ask(DatagramSocket socket) throws IOException {
        socket.send(new DatagramPacket(new byte[1], 1, new InetSocketAddress(VIP, PORT)));
        DatagramPacket answer = new DatagramPacket(new byte[100], 100);
        socket.receive(answer);
        return answer.getData()[0];
    }

    String tool(String host, String arguments) {
        return namespaces.ip(host, arguments);
    }

    String exec(String host, String command) {
        return namespaces.exec(host, command);
    }

    @Override
    public void close() {
        for (AutoCloseable server : servers) {
            try {
                server.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        director.close();
        namespaces.close();
        Machine.run("rm", "-r", state.resolve("..").normalize().toString());
    }
}
