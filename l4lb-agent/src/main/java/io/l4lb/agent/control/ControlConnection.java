// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One client: one request, one answer, at once or in rows, and the connection is closed. Lives on the control thread. */
final class ControlConnection extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final Routes routes;
    private final Connections connections;
    private final Limits limits;
    private @Nullable ScheduledFuture<?> deadline;
    private @Nullable RowStream rows;
    private boolean asked;

    ControlConnection(Routes routes, Connections connections, Limits limits) {
        this.routes = routes;
        this.connections = connections;
        this.limits = limits;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        boolean admitted = connections.admit(context.channel());
        startDeadline(context);
        if (!admitted) {
            asked = true;
            answer(context, Reply.error(503, "too many clients are being answered"));
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stopDeadline();
        connections.closed(context.channel());
        streamChanged();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        streamChanged();
    }

    private void streamChanged() {
        if (rows != null) {
            rows.changed();
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        if (asked) {
            return;
        }
        asked = true;
        stopDeadline();
        connections.answering(context.channel());
        if (request.decoderResult().isFailure()) {
            answer(context, Reply.error(400, "not an HTTP request"));
            return;
        }
        var unused = routes.handle(
                        request.method().name(),
                        request.uri(),
                        request.content().toString(StandardCharsets.UTF_8))
                .thenAcceptAsync(reply -> answer(context, reply), context.executor());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        var unused = context.close();
    }

    private void answer(ChannelHandlerContext context, Reply reply) {
        if (!context.channel().isActive()) {
            return;
        }
        stopDeadline();
        if (reply.body() instanceof Rows answer) {
            rows = new RowStream(context.channel(), limits.transfer());
            rows.begin();
            answer.start(rows);
            return;
        }
        startDeadline(context);
        context.writeAndFlush(reply.http()).addListener(ChannelFutureListener.CLOSE);
    }

    private void startDeadline(ChannelHandlerContext context) {
        deadline = context.executor()
                .schedule(() -> expire(context), limits.transfer().toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void expire(ChannelHandlerContext context) {
        var unused = context.close();
    }

    private void stopDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
