// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Frame;
import io.l4lb.test.MarkedConnection;
import io.l4lb.test.Namespaces;
import io.l4lb.test.ThreadContext;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * Client, director and real around a router. The real holds the VIPs and has decapsulate loaded by tc(8); the
 * router does not know the VIPs unless told, so a packet to a VIP reaches the real only within a tunnel.
 */
final class TunnelLab implements AutoCloseable {
    static final String CLIENT = "client";
    static final String ROUTER = "router";
    static final String DIRECTOR = "director";
    static final String REAL = "real";
    static final String VIP4 = "192.0.2.1";
    static final String VIP6 = "2001:db8::1";
    static final String REAL4 = "10.3.0.2";
    static final String REAL6 = "fd00:3::2";
    static final String DIRECTOR4 = "10.2.0.2";
    static final String DIRECTOR6 = "fd00:2::2";

    private final Namespaces namespaces = new Namespaces();
    private final Path objects;
    private final EchoServer server;

    TunnelLab(Path objects) throws Exception {
        this.objects = objects;
        try {
            build();
            server = new EchoServer(namespaces.name(REAL), 80);
        } catch (Exception e) {
            namespaces.close();
            throw e;
        }
    }

    private void build() throws Exception {
        for (String host : new String[] {CLIENT, ROUTER, DIRECTOR, REAL}) {
            namespaces.make(host);
        }
        namespaces.exec(ROUTER, "sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
        attach(CLIENT, "c0", "rc", 1);
        attach(DIRECTOR, "d0", "rd", 2);
        attach(REAL, "e0", "re", 3);
        namespaces.ip(CLIENT, "link set c0 mtu 1500");
        namespaces.ip(ROUTER, "link set rc mtu 1500");
        /* The tunnel's header has to fit the links behind the director. */
        namespaces.ip(DIRECTOR, "route add " + VIP4 + " via 10.2.0.1 mtu 1500");
        namespaces.ip(DIRECTOR, "route add " + VIP6 + " via fd00:2::1 mtu 1500");
        namespaces.ip(REAL, "addr add " + VIP4 + "/32 dev lo");
        namespaces.ip(REAL, "addr add " + VIP6 + "/128 dev lo nodad");
        namespaces.exec(REAL, "tc qdisc add dev e0 clsact");
        decapsulate();
    }

    private void attach(String host, String end, String routerEnd, int net) {
        namespaces.connect(host, end, ROUTER, routerEnd);
        address(host, end, net, 2);
        address(ROUTER, routerEnd, net, 1);
        namespaces.ip(host, "route add default via 10." + net + ".0.1");
        namespaces.ip(host, "route add default via fd00:" + net + "::1");
    }

    private void address(String host, String end, int net, int number) {
        namespaces.ip(host, "addr add 10." + net + ".0." + number + "/24 dev " + end);
        namespaces.ip(host, "addr add fd00:" + net + "::" + number + "/64 dev " + end + " nodad");
    }

    private Path object(BpfProgram program) throws Exception {
        return Files.write(objects.resolve(program + ".bpf.o"), program.object());
    }

    void decapsulate() throws Exception {
        Path object = object(BpfProgram.DECAPSULATE);
        namespaces.exec(REAL, "tc filter add dev e0 ingress bpf da obj " + object + " sec tc");
    }

    void stopDecapsulating() {
        namespaces.exec(REAL, "tc filter del dev e0 ingress");
    }

    /** The router's interface to the director passes XDP_TX frames on only if it has an XDP program itself. */
    void passOnRouter() throws Exception {
        namespaces.ip(ROUTER, "link set dev rd xdpdrv obj " + object(BpfProgram.PASS) + " sec xdp");
    }

    /** As BGP would: the router sends the VIPs' packets to the director, their checksums finished. */
    void routeVipsToDirector() {
        namespaces.ip(ROUTER, "route add " + VIP4 + " via " + DIRECTOR4);
        namespaces.ip(ROUTER, "route add " + VIP6 + " via " + DIRECTOR6);
        namespaces.exec(ROUTER, "ethtool -K rd tx off");
    }

    /** The director's routes to the VIPs leave by an interface at whose other end nobody knows them. */
    void divertVips() {
        namespaces.connect(DIRECTOR, "x0", CLIENT, "x1");
        for (String vip : new String[] {VIP4, VIP6}) {
            String source = vip.equals(VIP4) ? DIRECTOR4 : DIRECTOR6;
            namespaces.ip(DIRECTOR, "route replace " + vip + " dev x0 src " + source + " mtu 1500");
            namespaces.ip(DIRECTOR, "neigh add " + vip + " lladdr 02:00:00:00:09:09 dev x0");
        }
    }

    byte[] routerMac() {
        String[] octets =
                namespaces.exec(ROUTER, "cat /sys/class/net/rd/address").trim().split(":", -1);
        byte[] mac = new byte[octets.length];
        for (int i = 0; i < mac.length; i++) {
            mac[i] = (byte) Integer.parseInt(octets[i], 16);
        }
        return mac;
    }

    String namespace(String host) {
        return namespaces.name(host);
    }

    /** Whether so many bytes went to the VIP's server and came back the same. */
    boolean echoes(String host, String vip, int mark, int bytes, int seconds) throws Exception {
        byte[] request = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            request[i] = (byte) (i * 31 + i / 251);
        }
        InetAddress address = InetAddress.getByAddress(Frame.address(vip));
        Optional<byte[]> reply = ThreadContext.inNamespace(
                namespaces.name(host), () -> MarkedConnection.exchange(address, 80, mark, request, seconds));
        return reply.isPresent() && Arrays.equals(request, reply.get());
    }

    @Override
    public void close() throws IOException {
        server.close();
        namespaces.close();
    }
}
