// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.util.NetUtil;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection through the probe's route, with or without TLS, on which an exchange takes place. The exchange hears {@code
 * channelActive} when it may begin; it concludes with {@link FullPacket#conclude}.
 */
final class StreamPart implements Runnable {
    private final ProbeRun run;
    private final @Nullable TlsStage tls;
    private final ChannelHandler exchange;

    /** @param tls null: the exchange speaks in the clear */
    StreamPart(ProbeRun run, @Nullable TlsStage tls, ChannelHandler exchange) {
        this.run = run;
        this.tls = tls;
        this.exchange = exchange;
    }

    @Override
    public void run() {
        if (tls == null) {
            open();
        } else {
            tls.prepare(this::open);
        }
    }

    private void open() {
        Probe probe = run.probe();
        run.onTimeout("no answer within " + probe.timeoutText() + " (SYN sent "
                + probe.route().words() + ")");
        try {
            Channel opened = openSocket(probe);
            if (tls != null) {
                opened.pipeline().addLast(tls);
            }
            opened.pipeline().addLast(exchange);
            run.loop().register(opened).addListener((ChannelFuture registered) -> connect(registered));
        } catch (ChannelException e) {
            run.giveUp(FailureReason.ofSocket(e));
        }
    }

    private Channel openSocket(Probe probe) {
        // The family is chosen for each probe: a v4 destination on a v6 socket would follow v6 settings.
        EpollSocketChannel opened = new EpollSocketChannel(
                probe.destination().getAddress() instanceof Inet4Address
                        ? SocketProtocolFamily.INET
                        : SocketProtocolFamily.INET6);
        run.holds(closed -> Sockets.close(opened, closed));
        opened.config().setConnectTimeoutMillis(0); // the deadline is the only one
        opened.config().setSoLinger(0);
        Sockets.mark(run, opened);
        FullPacket.demand(run, opened);
        return opened;
    }

    private void connect(ChannelFuture registered) {
        if (!registered.isSuccess()) {
            run.giveUp(FailureReason.ofSocket(registered.cause()));
            return;
        }
        ChannelFuture connecting = registered.channel().connect(run.probe().destination());
        if (run.traced() && !connecting.isDone()) {
            run.note("SYN sent " + run.probe().route().words());
        }
        connecting.addListener((ChannelFuture connected) -> connected(connected));
    }

    private void connected(ChannelFuture connected) {
        Throwable cause = connected.cause();
        if (cause == null) {
            if (run.traced()) {
                run.note("connected from "
                        + NetUtil.toSocketAddressString(
                                (InetSocketAddress) connected.channel().localAddress()));
            }
            return;
        }
        FailureReason.endOfConnect(run, cause);
    }
}
