// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.http.HttpServerCodec;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Answers HTTP/1.1 with JSON on a unix socket of mode 0660. All its work is done on one thread named {@code control};
 * the {@link ControlApi} is called on it.
 *
 * <p>{@code GET /v1/status}, {@code /v1/services}, {@code /v1/services/NAME}, {@code /v1/reals}, {@code /v1/stats}; {@code
 * POST /v1/reload}, {@code /v1/explain} with an {@link ExplainRequest}, {@code /v1/explain/frame} with an {@link
 * ExplainFrameRequest}, {@code /v1/flows} and {@code /v1/flows/count} with a {@link FlowsRequest}, {@code /v1/capture} with
 * a {@link CaptureRequest}. Flows and captures are {@link Rows}: a JSON object a line, in chunks, as they come. Whatever goes
 * wrong is {@code {"error": "..."}}.
 */
public final class ControlServer implements AutoCloseable {
    /** The group that may use the socket, if the machine has it. */
    public static final String GROUP = "l4lb";

    private static final long CLOSE_SECONDS = 5;

    private final EventLoopGroup loop;
    private final SocketFile file;

    private final ChannelGroup open;

    private ControlServer(EventLoopGroup loop, SocketFile file) {
        this.loop = loop;
        this.open = new DefaultChannelGroup(loop.next(), true);
        this.file = file;
    }

    /**
     * Listens at {@code socket}; a socket file that nobody listens on is replaced.
     *
     * @throws ControlException another server listens there, or it cannot be had
     */
    public static ControlServer start(Path socket, ControlApi api) {
        return start(socket, api, Limits.DEFAULT);
    }

    static ControlServer start(Path socket, ControlApi api, Limits limits) {
        SocketFile file = SocketFile.prepare(socket);
        EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
                1,
                task -> {
                    Thread thread = new Thread(task, "control");
                    thread.setDaemon(true);
                    return thread;
                },
                EpollIoHandler.newFactory());
        ControlServer server = new ControlServer(loop, file);
        try {
            server.listen(api, limits);
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    /** Where it listens. */
    public Path socket() {
        return file.path();
    }

    /** Stops at once; requests that are being worked on get no answer. Any thread but the server's own. */
    @Override
    public void close() {
        file.remove();
        // Stopping the loop alone has been seen to leave descriptors open (Netty 4.2.18).
        open.close().awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
        var unused = loop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    private void listen(ControlApi api, Limits limits) {
        Routes routes = new Routes(api, limits);
        Connections connections = new Connections(limits.connections());
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(EpollServerDomainSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        open.add(channel);
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new BoundedRequests(limits.body()))
                                .addLast(new ControlConnection(routes, connections, limits));
                    }
                })
                .bind(new DomainSocketAddress(file.temporary().toFile()))
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            throw new ControlException(
                    ControlException.Kind.LISTEN,
                    "cannot listen on " + file.temporary() + ": " + cause.getMessage(),
                    cause);
        }
        open.add(bound.channel());
        file.publish(GROUP);
    }
}
