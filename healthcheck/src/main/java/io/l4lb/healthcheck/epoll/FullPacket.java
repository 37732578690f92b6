// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Route;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.Inet4Address;

/**
 * The proof that packets of the route's size get to the real: the exchange sends {@link #octets} or more at once, so that one segment
 * fills such a packet, and the answer shows that it came through, unless the kernel has sent smaller ones instead.
 *
 * <p>The kernel remembers for some minutes (sysctl {@code net.ipv4.route.mtu_expires}) that a router asked for smaller packets. TCP
 * cannot be told to forget that (net/ipv4/tcp_output.c, tcp_current_mss), so that a failure may outlive its cause by as much; a
 * route with {@code mtu lock} remembers nothing.
 */
final class FullPacket extends ChannelInboundHandlerAdapter {
    // include/uapi/linux/in.h, in6.h, tcp.h; Netty has no names for them.
    private static final int IPPROTO_IP = 0;
    private static final int IPPROTO_TCP = 6;
    private static final int IPPROTO_IPV6 = 41;
    private static final ChannelOption<Integer> IP_MTU_DISCOVER =
            new IntegerUnixChannelOption("IP_MTU_DISCOVER", IPPROTO_IP, 10);
    private static final ChannelOption<Integer> IPV6_MTU_DISCOVER =
            new IntegerUnixChannelOption("IPV6_MTU_DISCOVER", IPPROTO_IPV6, 23);
    private static final ChannelOption<Integer> TCP_MAXSEG = new IntegerUnixChannelOption("TCP_MAXSEG", IPPROTO_TCP, 2);
    // IP_PMTUDISC_PROBE would not set DF on TCP's packets: net/ipv4/ip_output.c asks ip_dont_fragment, which knows DO
    // and WANT.
    private static final int PMTUDISC_DO = 2;
    private static final int LARGEST_MAXSEG = 32767;

    private static final int TCP_HEADER = 20;
    private static final int TCP_TIMESTAMPS = 12;
    private static final int TCPI_OPT_TIMESTAMPS = 1;

    private final ProbeRun run;
    private final EpollSocketChannel channel;
    private final int headers; // IP's and TCP's, without options
    private long packetAtFirst;

    private FullPacket(ProbeRun run, EpollSocketChannel channel) {
        this.run = run;
        this.channel = channel;
        boolean v4 = run.probe().destination().getAddress() instanceof Inet4Address;
        this.headers = (v4 ? 20 : 40) + TCP_HEADER;
    }

    /** Makes a channel that is not connected yet send full packets, if the probe's route asks for it. */
    static void demand(ProbeRun run, EpollSocketChannel channel) {
        int size = run.probe().route().packetSize();
        if (size == 0) {
            return;
        }
        FullPacket packet = new FullPacket(run, channel);
        boolean v4 = run.probe().destination().getAddress() instanceof Inet4Address;
        channel.config().setOption(v4 ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER, PMTUDISC_DO);
        channel.config().setOption(TCP_MAXSEG, Math.min(LARGEST_MAXSEG, size - packet.headers));
        channel.pipeline().addLast("full-packet", packet);
    }

    /** How many octets have to be sent at once, or more; 0: no matter. */
    static int octets(Route route) {
        return route.packetSize();
    }

    /** Ends a run whose exchange went well. */
    static void conclude(ProbeRun run, Channel channel, String reason) {
        FullPacket packet = channel.pipeline().get(FullPacket.class);
        if (packet != null) {
            packet.conclude();
        }
        run.succeed(reason);
    }

    /**
     * What is to be said if no answer comes once the full packet is sent.
     *
     * @param otherwise the same where full packets are not asked for
     */
    static String noAnswer(ProbeRun run, String otherwise) {
        int size = run.probe().route().packetSize();
        return size == 0
                ? otherwise
                : "connected, but no answer to a packet of " + size + " octets within "
                        + run.probe().timeoutText() + " (path MTU?)";
    }

    /** Connected: the kernel may know already that such packets do not get through. */
    @Override
    public void channelActive(ChannelHandlerContext context) {
        packetAtFirst = examine().packet();
        if (!run.finished()) {
            context.fireChannelActive();
        }
    }

    private void conclude() {
        Segments now = examine();
        int wanted = run.probe().route().packetSize();
        if (now.packet() < packetAtFirst) {
            // net.ipv4.tcp_mtu_probing tries smaller segments when nothing is acknowledged.
            run.fail(notThrough() + ": only packets of " + now.packet());
        } else if (now.packet() < wanted) {
            // Nor are its clients' packets any larger.
            run.notes(notes -> notes.withWarning("packets of " + wanted + " octets were not sent: the real takes "
                    + now.packet() + " at most (MSS)"));
        }
    }

    private Segments examine() {
        Segments segments = segments();
        if (!run.finished() && segments.pathMtu() < run.probe().route().packetSize()) {
            run.fail(notThrough() + ": path MTU " + segments.pathMtu());
        }
        return segments;
    }

    private String notThrough() {
        return "packets of " + run.probe().route().packetSize() + " octets do not get through";
    }

    /** The largest packet of this connection, and the path MTU as the kernel knows it. */
    private record Segments(long packet, long pathMtu) {}

    private Segments segments() {
        try {
            EpollTcpInfo info = channel.tcpInfo();
            int options = (info.options() & TCPI_OPT_TIMESTAMPS) != 0 ? TCP_TIMESTAMPS : 0;
            return new Segments(info.sndMss() + options + headers, info.pmtu());
        } catch (ChannelException e) {
            run.giveUp("no TCP_INFO of the probe's socket: " + e.getMessage());
            return new Segments(0, 0);
        }
    }
}
