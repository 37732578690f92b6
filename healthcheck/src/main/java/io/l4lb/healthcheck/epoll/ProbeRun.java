// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Check;
import io.l4lb.healthcheck.HttpCheck;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.TcpCheck;
import io.l4lb.healthcheck.Verdict;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.Inet4Address;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One probe from its socket to its verdict, under one deadline. Confined to the loop. */
final class ProbeRun {
    // include/uapi/asm-generic/socket.h; Netty has no name for it.
    private static final int SOL_SOCKET = 1;
    private static final int SO_MARK_NUMBER = 36;
    private static final ChannelOption<Integer> SO_MARK =
            new IntegerUnixChannelOption("SO_MARK", SOL_SOCKET, SO_MARK_NUMBER);

    private final EventLoop loop;
    private final ProbeTarget target;
    private final Consumer<Verdict> sink;
    private final long started = System.nanoTime();
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable Channel channel;
    private String timeoutReason;
    private boolean finished;

    ProbeRun(EventLoop loop, ProbeTarget target, Consumer<Verdict> sink) {
        this.loop = loop;
        this.target = target;
        this.sink = sink;
        this.timeoutReason = "no answer within " + target.timing().timeoutText()
                + (target.mark() == 0 ? " (SYN sent)" : " (SYN sent through the tunnel)");
    }

    void start() {
        deadline = loop.schedule(
                () -> fail(timeoutReason), target.timing().timeout().toNanos(), TimeUnit.NANOSECONDS);
        try {
            Channel opened = open();
            opened.pipeline().addLast(target.check().accept(new Handlers()));
            loop.register(opened).addListener((ChannelFuture registered) -> connect(registered));
        } catch (ChannelException e) {
            fail(FailureReason.ofSocket(e));
        }
    }

    /** What the verdict says if the deadline passes from now on. */
    void onTimeout(String reason) {
        timeoutReason = reason;
    }

    ProbeTarget target() {
        return target;
    }

    void succeed(String reason) {
        finish(true, reason);
    }

    void fail(String reason) {
        finish(false, reason);
    }

    private Channel open() {
        // The family is chosen for each probe: a v4 destination on a v6 socket would follow v6 settings.
        EpollSocketChannel opened = new EpollSocketChannel(
                target.destination().getAddress() instanceof Inet4Address
                        ? SocketProtocolFamily.INET
                        : SocketProtocolFamily.INET6);
        channel = opened;
        opened.config().setConnectTimeoutMillis(0); // the deadline above is the only one
        opened.config().setSoLinger(0);
        if (target.mark() != 0) {
            opened.config().setOption(SO_MARK, target.mark());
        }
        return opened;
    }

    private void connect(ChannelFuture registered) {
        if (!registered.isSuccess()) {
            fail(FailureReason.ofSocket(registered.cause()));
            return;
        }
        registered.channel().connect(target.destination()).addListener(connected -> {
            if (!connected.isSuccess()) {
                fail(FailureReason.ofConnect(connected.cause()));
            }
        });
    }

    private void finish(boolean success, String reason) {
        if (finished) {
            return;
        }
        finished = true;
        if (deadline != null) {
            deadline.cancel(false);
        }
        Verdict verdict = new Verdict(success, reason, Duration.ofNanos(System.nanoTime() - started));
        // The verdict comes after the descriptor is gone: whoever has all verdicts knows that nothing is open.
        if (channel == null) {
            sink.accept(verdict);
        } else if (channel.isRegistered()) {
            channel.close().addListener(closed -> sink.accept(verdict));
        } else {
            channel.unsafe().closeForcibly();
            sink.accept(verdict);
        }
    }

    private final class Handlers implements Check.Visitor<ChannelHandler> {
        @Override
        public ChannelHandler tcp(TcpCheck check) {
            return new TcpExchange(ProbeRun.this);
        }

        @Override
        public ChannelHandler http(HttpCheck check) {
            return new HttpExchange(ProbeRun.this, check);
        }
    }
}
