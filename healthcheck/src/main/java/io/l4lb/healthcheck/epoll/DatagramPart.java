// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import java.net.Inet4Address;

/**
 * A UDP socket connected through the probe's route, on which an exchange takes place. The kernel keeps datagrams of others away from a
 * connected socket, and tells it of ICMP errors (udp(7)).
 */
final class DatagramPart implements Runnable {
    private final ProbeRun run;
    private final ChannelHandler exchange;

    DatagramPart(ProbeRun run, ChannelHandler exchange) {
        this.run = run;
        this.exchange = exchange;
    }

    @Override
    public void run() {
        try {
            Channel opened = open(run.probe());
            opened.pipeline().addLast(exchange);
            run.loop().register(opened).addListener((ChannelFuture registered) -> connect(registered));
        } catch (ChannelException e) {
            run.giveUp(FailureReason.ofSocket(e));
        }
    }

    private Channel open(Probe probe) {
        EpollDatagramChannel opened = new EpollDatagramChannel(
                probe.destination().getAddress() instanceof Inet4Address
                        ? SocketProtocolFamily.INET
                        : SocketProtocolFamily.INET6);
        run.holds(closed -> Sockets.close(opened, closed));
        Sockets.mark(run, opened);
        return opened;
    }

    private void connect(ChannelFuture registered) {
        if (!registered.isSuccess()) {
            run.giveUp(FailureReason.ofSocket(registered.cause()));
            return;
        }
        var unused = registered.channel().connect(run.probe().destination()).addListener((ChannelFuture connected) -> {
            if (!connected.isSuccess()) {
                FailureReason.endOfConnect(run, connected.cause());
            }
        });
    }

    /** An ICMP error comes as the errno of a read or a write. */
    static void end(ProbeRun run, Throwable cause) {
        if (FailureReason.isOwnFault(cause)) {
            run.giveUp("cannot send: " + cause.getMessage());
        } else {
            run.fail(FailureReason.ofIcmp(cause));
        }
    }
}
