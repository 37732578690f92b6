// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A director between two networks: by {@code in} packets come from clients behind a router, by {@code out} the reals are
 * reached, both on that link and behind a second router.
 */
final class TwoLinkLab implements AutoCloseable {
    static final String DIRECTOR = "director";
    static final String FRONT = "front";
    static final String BACK = "back";
    static final String DIRECTOR_IN_MAC = "02:00:00:00:02:02";
    static final String DIRECTOR_OUT_MAC = "02:00:00:00:06:02";
    static final String FRONT_MAC = "02:00:00:00:02:01";
    static final String BACK_MAC = "02:00:00:00:06:01";

    private final Namespaces namespaces = new Namespaces();
    private final List<XdpAttachment> receivers = new ArrayList<>();

    /**
     * Builds it, or skips the test.
     *
     * @return the name of the director's namespace
     */
    String build() {
        Machine.needNetworkNamespaces();
        namespaces.make(FRONT);
        namespaces.make(DIRECTOR);
        namespaces.make(BACK);
        connectFront();
        connectBack();
        return namespaces.name(DIRECTOR);
    }

    private void connectFront() {
        namespaces.connect(DIRECTOR, "in", FRONT, "front0");
        namespaces.batch(FRONT, """
                link set front0 address %s
                addr add 10.2.0.1/24 dev front0
                addr add fd00:2::1/64 dev front0 nodad
                """.formatted(FRONT_MAC));
        namespaces.batch(DIRECTOR, """
                link set in address %s
                addr add 10.2.0.2/24 dev in
                addr add fd00:2::2/64 dev in nodad
                route add default via 10.2.0.1
                route add default via fd00:2::1
                """.formatted(DIRECTOR_IN_MAC));
    }

    /** The same with the reals' addresses in the second router, and programs where the balancer sends to. */
    String buildWithReals() throws Exception {
        Machine.needBpf();
        String director = build();
        namespaces.batch(BACK, """
                addr add 10.3.0.1/32 dev lo
                addr add fd00:3::6/128 dev lo nodad
                """);
        namespaces.ip(FRONT, "addr add 10.4.0.1/32 dev lo");
        receiveInFront();
        connectReals(false);
        return director;
    }

    /** The same with a VLAN on the link to the clients, by whose router the reals are reached; or skips the test. */
    String buildWithVlan() throws Exception {
        String director = buildWithReals();
        Machine.need(
                "vlan",
                Machine.succeeds(
                        "ip", "-n", director, "link", "add", "link", "in", "name", "in.7", "type", "vlan", "id", "7"),
                "the kernel has no 802.1Q");
        namespaces.ip(FRONT, "link add link front0 name front0.7 type vlan id 7");
        for (String host : List.of(DIRECTOR, FRONT)) {
            /* Beside the frame XDP would not see the tag. */
            namespaces.exec(host, "ethtool -K " + (host.equals(FRONT) ? "front0" : "in") + " txvlan off");
        }
        namespaces.batch(FRONT, """
                addr add 10.7.0.1/24 dev front0.7
                link set front0.7 up
                addr add 10.3.0.1/32 dev lo
                route replace 192.0.2.0/24 via 10.7.0.2
                """);
        namespaces.batch(DIRECTOR, """
                addr add 10.7.0.2/24 dev in.7
                link set in.7 up
                route replace 10.3.0.0/24 via 10.7.0.1
                """);
        return director;
    }

    /** A veth passes on what XDP sends to it only if the other end has a program too. */
    private static XdpAttachment receive(String interfaceName) {
        try (BpfObject object = BpfObject.open("pass", BpfProgram.PASS.object()).load();
                ProgramHandle program = object.program("pass")) {
            return Links.attachXdp(program, Interfaces.index(interfaceName).orElseThrow(), XdpMode.NATIVE);
        }
    }

    /** Takes the programs away where the balancer sends to. */
    void stopReceiving() {
        receivers.forEach(XdpAttachment::close);
        receivers.clear();
    }

    private void receiveInFront() throws Exception {
        namespaces.ip(FRONT, "route add 192.0.2.0/24 via 10.2.0.2");
        receivers.add(ThreadContext.inNamespace(namespaces.name(FRONT), () -> receive("front0")));
    }

    /** Takes the interface to the clients away. */
    void cutClients() {
        director("link del in");
    }

    /** Puts it back. */
    void connectClients() throws Exception {
        connectFront();
        receiveInFront();
    }

    /** Takes the interface to the reals away, and every other route to them. */
    void cutReals() {
        director("link del out");
        director("route replace unreachable default");
    }

    /** Puts it back. */
    void connectReals() throws Exception {
        director("route del unreachable default");
        director("route add default via 10.2.0.1");
        connectReals(true);
    }

    private void connectReals(boolean anew) throws Exception {
        if (anew) {
            connectBack();
        }
        receivers.add(ThreadContext.inNamespace(namespaces.name(BACK), () -> receive("back0")));
        namespaces.ip(BACK, "route replace 192.0.2.0/24 via 10.6.0.2");
    }

    /** Sends datagrams to a service, each from another port. */
    void sendFromClients(ServiceKey key, int count) throws Exception {
        send(FRONT, key, count);
    }

    /** The same from the other side. */
    void sendFromReals(ServiceKey key, int count) throws Exception {
        send(BACK, key, count);
    }

    private void send(String host, ServiceKey key, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            try (DatagramSocket socket = ThreadContext.inNamespace(namespaces.name(host), DatagramSocket::new)) {
                socket.send(new DatagramPacket(new byte[32], 32, key.vip(), key.port()));
            }
        }
    }

    /** Packets of tunnels of a family that have come to addresses of the reals; nobody there knows the protocol. */
    long tunnelPackets(InetAddress real) {
        return real instanceof Inet4Address ? unknownProtocols(BACK) : unknownProtocols6(BACK);
    }

    /** The same for IPv4, of the clients' router. */
    long tunnelPacketsInFront() {
        return unknownProtocols(FRONT);
    }

    private long unknownProtocols(String host) {
        return counter(host, "/proc/net/snmp", "Ip:", "InUnknownProtos");
    }

    /** Packets that the second router has dropped for their source. */
    long refusedSources() {
        return counter(BACK, "/proc/net/netstat", "TcpExt:", "IPReversePathFilter");
    }

    /** Of a file that has two lines of a kind: names, and values. */
    private long counter(String host, String file, String kind, String name) {
        List<String> lines = namespaces
                .exec(host, "cat " + file)
                .lines()
                .filter(line -> line.startsWith(kind))
                .toList();
        int at = List.of(lines.get(0).split(" ", -1)).indexOf(name);
        return Long.parseLong(lines.get(1).split(" ", -1)[at]);
    }

    private long unknownProtocols6(String host) {
        return namespaces
                .exec(host, "cat /proc/net/snmp6")
                .lines()
                .map(line -> line.split("\\s+", -1))
                .filter(words -> words[0].equals("Ip6InUnknownProtos"))
                .mapToLong(words -> Long.parseLong(words[1]))
                .sum();
    }

    /** Lets the director's kernel forward, by all of its interfaces. */
    void forward() {
        sysctl("net.ipv4.ip_forward=1");
        sysctl("net.ipv6.conf.all.forwarding=1");
    }

    /** Has the second router drop what comes from addresses that it has no route for. */
    void looseReversePathFilter() {
        namespaces.exec(BACK, "sysctl -qw net.ipv4.conf.back0.rp_filter=2");
    }

    /** The link to the reals, with all that belongs to it. */
    void connectBack() {
        namespaces.connect(DIRECTOR, "out", BACK, "back0");
        namespaces.batch(BACK, """
                link set back0 address %s
                addr add 10.6.0.1/24 dev back0
                addr add 10.6.0.9/24 dev back0
                addr add fd00:6::1/64 dev back0 nodad
                """.formatted(BACK_MAC));
        namespaces.ip(DIRECTOR, "link set out address " + DIRECTOR_OUT_MAC);
        namespaces.batch(DIRECTOR, """
                addr add 10.6.0.2/24 dev out
                addr add fd00:6::2/64 dev out nodad
                """);
        routes();
    }

    /** The director's routes to the reals behind the second router. */
    void routes() {
        director("route add 10.3.0.0/24 via 10.6.0.1");
        director("route add fd00:3::/64 via fd00:6::1");
    }

    /** Runs ip(8) on the director. */
    String director(String arguments) {
        return namespaces.ip(DIRECTOR, arguments);
    }

    /** Runs ip(8) on the router of the reals. */
    String back(String arguments) {
        return namespaces.ip(BACK, arguments);
    }

    /** Sets a kernel variable on the director. */
    void sysctl(String setting) {
        namespaces.exec(DIRECTOR, "sysctl -qw " + setting);
    }

    /** The index of one of the director's interfaces, in its namespace. */
    static int index(RouteTable routes, String name) {
        return routes.link(name).orElseThrow().index();
    }

    /** By which next hops are looked for, in the director's namespace. */
    static NextHopRules rules(RouteTable routes, boolean fib, String... ingress) {
        Set<Integer> indexes = new HashSet<>();
        for (String name : ingress) {
            indexes.add(index(routes, name));
        }
        Optional<InetAddress> kernels = Optional.empty();
        return new NextHopRules(indexes, fib, kernels, kernels);
    }

    @Override
    public void close() {
        stopReceiving();
        namespaces.close();
    }
}
