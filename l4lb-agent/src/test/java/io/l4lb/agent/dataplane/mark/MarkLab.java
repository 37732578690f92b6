// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import static io.l4lb.test.Address.ip;

import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.Outcome;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A director with IPVS between a client and two reals, which answer the client directly: who asks a real, by TCP or UDP, is
 * told its name. IPVS has a service for each real's mark and none for the VIPs.
 */
final class MarkLab implements AutoCloseable {
    static final int PORT = 7000;
    static final InetAddress VIP4 = ip("192.0.2.10");
    static final InetAddress VIP6 = ip("2001:db8::10");
    static final Map<InetAddress, String> NAMES4 = Map.of(Marked.ONE, "one", Marked.TWO, "two");
    static final InetAddress ONE6 = ip("fd00:3:1::1");
    static final InetAddress TWO6 = ip("fd00:3:2::1");
    private static final int LONGEST = 65_507;

    private final Namespaces namespaces = new Namespaces();
    private final List<AutoCloseable> open = new ArrayList<>();
    private @Nullable TemporaryBpfFs pins;

    /** Builds it, or skips the test; the name of the director's namespace. */
    String build() throws Exception {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
        pins = new TemporaryBpfFs();
        for (String host : List.of("client", "director", "one", "two")) {
            namespaces.make(host);
        }
        Outcome outcome =
                Machine.attempt("", "ip", "netns", "exec", director(), "ipvsadm", "-A", "-f", "1", "-s", "rr");
        Machine.need(
                "ipvs",
                outcome.exit() == 0,
                "ipvsadm cannot add a service: " + outcome.errors().trim());
        namespaces.connect("client", "c0", "director", "d0");
        namespaces.batch("client", """
                addr add 10.2.0.1/24 dev c0
                addr add fd00:2::1/64 dev c0 nodad
                route add 192.0.2.10/32 via 10.2.0.2
                route add 2001:db8::10/128 via fd00:2::2
                """);
        namespaces.batch("director", """
                addr add 10.2.0.2/24 dev d0
                addr add fd00:2::2/64 dev d0 nodad
                route add local 192.0.2.10/32 dev lo
                route add local 2001:db8::10/128 dev lo table local
                """);
        real("one", 1);
        real("two", 2);
        return director();
    }

    private String director() {
        return namespaces.name("director");
    }

    /** It is 10.3.0.N and fd00:3:N::1, and has a way of its own to the client. */
    private void real(String name, int number) throws Exception {
        namespaces.connect("director", "d" + number, name, "e0");
        namespaces.connect("client", "c" + number, name, "e1");
        namespaces.batch("director", """
                addr add fd00:3:%1$d::2/64 dev d%1$d nodad
                route add 10.3.0.%1$d/32 dev d%1$d src 10.2.0.2
                """.formatted(number));
        namespaces.batch("client", """
                addr add 10.4.%1$d.2/24 dev c%1$d
                addr add fd00:4:%1$d::2/64 dev c%1$d nodad
                """.formatted(number));
        namespaces.batch(name, """
                addr add 10.3.0.%1$d/32 dev e0
                addr add fd00:3:%1$d::1/64 dev e0 nodad
                addr add 10.4.%1$d.1/24 dev e1
                addr add fd00:4:%1$d::1/64 dev e1 nodad
                route add 10.2.0.0/24 via 10.4.%1$d.2
                route add fd00:2::/64 via fd00:4:%1$d::2
                addr add 192.0.2.10/32 dev lo
                addr add 2001:db8::10/128 dev lo nodad
                link set tunl0 up
                link set ip6tnl0 up
                """.formatted(number));
        namespaces.exec(name, "sysctl -qw net.ipv4.conf.tunl0.rp_filter=0");
        ThreadContext.inNamespace(namespaces.name(name), () -> {
            answerTcp(name);
            for (InetAddress vip : List.of(VIP4, VIP6)) {
                answerUdp(vip, name);
            }
            return name;
        });
    }

    /** The service of a mark, with its one real. */
    void lead(int mark, InetAddress real) {
        boolean ipv4 = real.getAddress().length == 4;
        String service = " -f " + Integer.toUnsignedString(mark) + (ipv4 ? "" : " -6");
        String address = ipv4 ? real.getHostAddress() + ":0" : "[" + real.getHostAddress() + "]:0";
        Machine.runWithInput(
                "-A" + service + " -s rr\n-a" + service + " -r " + address + " -i -w 1\n",
                "ip",
                "netns",
                "exec",
                director(),
                "ipvsadm",
                "-R");
    }

    private void answerTcp(String name) throws IOException {
        ServerSocket server = new ServerSocket(PORT);
        open.add(server);
        start("tcp-" + name, () -> {
            while (true) {
                Socket socket = server.accept();
                open.add(socket);
                start("connection-" + name, () -> {
                    while (socket.getInputStream().read() >= 0) {
                        socket.getOutputStream().write((name + "\n").getBytes(StandardCharsets.US_ASCII));
                    }
                });
            }
        });
    }

    private void answerUdp(InetAddress vip, String name) throws IOException {
        DatagramSocket socket = new DatagramSocket(PORT, vip);
        open.add(socket);
        start("udp-" + name, () -> {
            DatagramPacket packet = new DatagramPacket(new byte[LONGEST], LONGEST);
            while (true) {
                packet.setLength(LONGEST);
                socket.receive(packet);
                byte[] answer = (name + "\n").getBytes(StandardCharsets.US_ASCII);
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        });
    }

    /** What goes on until its socket is closed. */
    private interface Answering {
        void run() throws IOException;
    }

    /** Threads are in the namespace of the one that starts them. */
    private static void start(String name, Answering answering) {
        Thread thread = new Thread(
                () -> {
                    try {
                        answering.run();
                    } catch (IOException closed) {
                        Thread.currentThread().interrupt();
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A flow of the client's, begun at once. */
    Flow flow(boolean tcp, InetAddress vip) throws Exception {
        Flow flow = ThreadContext.inNamespace(
                namespaces.name("client"), () -> tcp ? new Flow.Stream(vip, PORT) : new Flow.Datagrams(vip, PORT));
        open.add(flow);
        return flow;
    }

    Path pinDir() {
        return Objects.requireNonNull(pins).path("l4lb-ipvs");
    }

    @Override
    public void close() {
        for (AutoCloseable each : List.copyOf(open)) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        namespaces.close();
        if (pins != null) {
            pins.close();
        }
    }
}
