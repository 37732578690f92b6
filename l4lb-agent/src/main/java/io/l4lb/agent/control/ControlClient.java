// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks an agent over its control socket. Each request has a connection of its own and one deadline for all of it. */
public final class ControlClient implements AutoCloseable {
    private static final int MAX_ANSWER = 256 << 20;

    private final Path socket;
    private final EventLoopGroup loop;

    public ControlClient(Path socket) {
        this.socket = socket;
        this.loop = new MultiThreadIoEventLoopGroup(
                1,
                task -> {
                    Thread thread = new Thread(task, "control-client");
                    thread.setDaemon(true);
                    return thread;
                },
                EpollIoHandler.newFactory());
    }

    /**
     * The answer to {@code GET path}.
     *
     * @throws ControlException there is none, or it is an error
     */
    public JsonNode get(String path, Duration deadline) {
        return exchange(request(HttpMethod.GET, path, new byte[0]), deadline);
    }

    /**
     * The answer to {@code POST path} with {@code body} as JSON.
     *
     * @throws ControlException there is none, or it is an error
     */
    public JsonNode post(String path, Object body, Duration deadline) {
        return exchange(request(HttpMethod.POST, path, Json.bytes(body)), deadline);
    }

    /**
     * Hands over the rows of the answer to {@code POST path}, on a thread of the client's, until there are no more or the
     * reader has enough.
     *
     * @param stop completing it ends that too, from any thread
     * @throws ControlException there is no answer, or it is an error
     * @throws IOException what the reader has thrown
     */
    public void rows(String path, Object body, CompletableFuture<?> stop, RowReader reader) throws IOException {
        CompletableFuture<Answer> end = new CompletableFuture<>();
        Channel channel = connect(request(HttpMethod.POST, path, Json.bytes(body)), end, new RowAnswers(reader, end));
        var stopped = stop.thenRun(() -> end.complete(new Answer(200, "{}")));
        try {
            var unused = read(end.get());
        } catch (ExecutionException e) {
            throw rowFailure(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("interrupted while the agent on " + socket + " was asked", e);
        } finally {
            stopped.cancel(false);
            var unused = channel.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
    }

    private RuntimeException rowFailure(Throwable cause) throws IOException {
        if (cause instanceof UncheckedIOException failure) {
            throw failure.getCause();
        }
        if (cause instanceof RuntimeException failure) {
            return failure;
        }
        if (cause instanceof EOFException) {
            return unreachable(
                    "the agent on " + socket + " has closed the connection before the end of its answer", cause);
        }
        return new ConnectFailure(socket, cause).exception();
    }

    @Override
    public void close() {
        var unused = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(1, TimeUnit.SECONDS);
    }

    private JsonNode exchange(FullHttpRequest request, Duration deadline) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        Channel channel = connect(request, answer, new HttpObjectAggregator(MAX_ANSWER), new AnswerReader(answer));
        try {
            return read(answer.get(deadline.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            throw unreachable("the agent on " + socket + " has not answered within " + deadline.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new ConnectFailure(socket, e.getCause() == null ? e : e.getCause()).exception();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable("interrupted while the agent on " + socket + " was asked", e);
        } finally {
            var unused = channel.close().awaitUninterruptibly(1, TimeUnit.SECONDS);
        }
    }

    private Channel connect(FullHttpRequest request, CompletableFuture<Answer> answer, ChannelHandler... handlers) {
        return new Bootstrap()
                .group(loop)
                .channel(EpollDomainSocketChannel.class)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline().addLast(new HttpClientCodec()).addLast(handlers);
                    }
                })
                .connect(new DomainSocketAddress(socket.toFile()))
                .addListener((ChannelFutureListener) connected -> {
                    Throwable cause = connected.cause();
                    if (cause != null) {
                        request.release();
                        answer.completeExceptionally(cause);
                    } else {
                        // A server that refuses early may close before it has read all; its answer is still to be read.
                        var unused = connected.channel().writeAndFlush(request);
                    }
                })
                .channel();
    }

    private JsonNode read(Answer answer) {
        JsonNode tree;
        try {
            tree = Json.parse(answer.body());
        } catch (JsonProcessingException e) {
            throw new ControlException(
                    ControlException.Kind.BAD_ANSWER, "what answers on " + socket + " is not an l4lb agent", e);
        }
        if (answer.status() >= 400) {
            throw new ControlException(
                    ControlException.Kind.REFUSED,
                    tree.path("error").asText("the agent answered with status " + answer.status()));
        }
        return tree;
    }

    private static FullHttpRequest request(HttpMethod method, String path, byte[] body) {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, method, path, Unpooled.wrappedBuffer(body));
        request.headers()
                .set(HttpHeaderNames.HOST, "l4lb")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE)
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, body.length);
        return request;
    }

    private static ControlException unreachable(String message, Throwable cause) {
        return new ControlException(ControlException.Kind.UNREACHABLE, message, cause);
    }

    /** Status and body of a response. */
    record Answer(int status, String body) {}
}
