// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.hashing.mh.MhDestination;
import io.l4lb.test.Machine;
import io.l4lb.test.NamespaceThread;
import io.l4lb.test.Namespaces;
import io.l4lb.test.Outcome;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A namespace that is client and director in one: it sends datagrams to services of its own IPVS from any address of
 * 10.0.0.0/8 and 2001:db8:c::/48, to reals that need not exist.
 */
final class MhLab implements AutoCloseable {
    private static final String HOST = "mh";

    private final Namespaces namespaces = new Namespaces();
    private final NamespaceThread thread;

    MhLab() {
        namespaces.make(HOST);
        namespaces.batch(HOST, """
                link add dummy0 type dummy
                link set dummy0 up
                addr add 192.168.77.1/24 dev dummy0
                addr add fd77::1/64 dev dummy0 nodad
                route add 0.0.0.0/0 dev dummy0
                route add ::/0 dev dummy0
                route add local 10.0.0.0/8 dev lo
                route add local 2001:db8:c::/48 dev lo
                route add local 203.0.113.10/32 dev lo
                route add local 2001:db8:ff::10/128 dev lo
                """);
        namespaces.exec(HOST, "sysctl -qw net.ipv4.ip_nonlocal_bind=1 net.ipv6.ip_nonlocal_bind=1");
        thread = new NamespaceThread(namespaces.name(HOST));
    }

    /** Skips the test without network namespaces, IPVS and its scheduler {@code mh}. */
    static void need() {
        Machine.needNetworkNamespaces();
        try (Namespaces probe = new Namespaces()) {
            probe.make("ipvs");
            String[] command = {
                "ip", "netns", "exec", probe.name("ipvs"), "ipvsadm", "-A", "-u", "192.0.2.1:1", "-s", "mh"
            };
            Outcome outcome = Machine.attempt("", command);
            String reason = (outcome.output() + outcome.errors()).trim();
            Machine.need("ipvs", outcome.exit() == 0, "ipvsadm cannot add a service: " + reason);
        }
    }

    /** A UDP service with its destinations in the order of the list in which the kernel is to have them. */
    void add(InetSocketAddress service, String flags, List<MhDestination> destinations) {
        StringBuilder commands = new StringBuilder();
        commands.append("-A -u %s -s mh%s%n".formatted(text(service), flags.isEmpty() ? "" : " -b " + flags));
        // The kernel adds at the head.
        for (int i = destinations.size() - 1; i >= 0; i--) {
            commands.append(command(
                    "-a", service, destinations.get(i), destinations.get(i).lastWeight()));
        }
        ipvsadm(commands.toString());
    }

    /** Gives destinations weight 0. */
    void drain(InetSocketAddress service, List<MhDestination> destinations) {
        ipvsadm(destinations.stream()
                .map(destination -> command("-e", service, destination, 0))
                .collect(Collectors.joining()));
    }

    private static String command(String what, InetSocketAddress service, MhDestination destination, int weight) {
        InetSocketAddress real = new InetSocketAddress(destination.address(), destination.port());
        return "%s -u %s -r %s -i -w %d%n".formatted(what, text(service), text(real), weight);
    }

    private void ipvsadm(String commands) {
        Machine.runWithInput(commands, "ip", "netns", "exec", namespaces.name(HOST), "ipvsadm", "-R");
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet4Address ? host : "[" + host + "]") + ":" + address.getPort();
    }

    /**
     * Sends one datagram from each client to the service.
     *
     * @return by client the address of the real that the kernel chose; clients for whom it chose none are missing
     */
    Map<InetSocketAddress, InetAddress> choices(InetSocketAddress service, List<InetSocketAddress> clients)
            throws Exception {
        return thread.call(() -> {
            for (InetSocketAddress client : clients) {
                try (DatagramSocket socket = new DatagramSocket(client)) {
                    send(socket, service);
                }
            }
            return connections(service);
        });
    }

    private static void send(DatagramSocket socket, InetSocketAddress service) {
        try {
            socket.send(new DatagramPacket(new byte[1], 1, service));
        } catch (IOException refused) {
            // Scheduled to nobody: that its connection is missing says so.
            return;
        }
    }

    /** The lines of ip_vs_conn: protocol, then address and port of client, service and real, all hexadecimal. */
    private Map<InetSocketAddress, InetAddress> connections(InetSocketAddress service) throws IOException {
        Map<InetSocketAddress, InetAddress> chosen = new HashMap<>();
        for (String line : namespaces.exec(HOST, "cat /proc/net/ip_vs_conn").split("\n", -1)) {
            String[] fields = line.trim().split(" +", -1);
            if (fields[0].equals("UDP") && endpoint(fields, 3).equals(service)) {
                chosen.put(endpoint(fields, 1), address(fields[5]));
            }
        }
        return chosen;
    }

    private static InetSocketAddress endpoint(String[] fields, int at) throws UnknownHostException {
        return new InetSocketAddress(address(fields[at]), Integer.parseInt(fields[at + 1], 16));
    }

    private static InetAddress address(String hexadecimal) throws UnknownHostException {
        String digits = hexadecimal.replaceAll("[\\[\\]:]", "").toLowerCase(Locale.ROOT);
        return InetAddress.getByAddress(HexFormat.of().parseHex(digits));
    }

    @Override
    public void close() {
        thread.close();
        namespaces.close();
    }
}
