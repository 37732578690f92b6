// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.LoadSource;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** One request and its response, read to its end or to {@link #BODY_LIMIT}. */
final class HttpExchange extends SimpleChannelInboundHandler<HttpObject> {
    /** A longer body is not read on: what has come of it counts. */
    static final int BODY_LIMIT = 64 * 1024;

    private static final int HEADER_LIMIT = 16 * 1024;

    /** Sees the bytes before they are a message: a drip of header bytes is an answer, though not one that ends. */
    private final class FirstByte extends ChannelInboundHandlerAdapter {
        private boolean seen;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (!seen) {
                seen = true;
                run.note("first octet of the response");
                run.onTimeout(
                        () -> endBy("response did not end within " + run.probe().timeoutText()));
            }
            context.fireChannelRead(message);
        }
    }

    /** Sees how long the request is. */
    private final class Sent extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            if (message instanceof ByteBuf octets) {
                requestOctets += octets.readableBytes();
            }
            var unused = context.write(message, promise);
        }
    }

    private final ProbeRun run;
    private final HttpCheck check;
    private final HttpBody body;
    private @Nullable HttpResponse response; // null until the final response's header has come
    private long requestOctets;

    HttpExchange(ProbeRun run, HttpCheck check) {
        this.run = run;
        this.check = check;
        boolean kept = check.expectation().body().isPresent()
                || check.load().filter(HttpLoad::isInBody).isPresent();
        this.body = new HttpBody(BODY_LIMIT, kept);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        HttpDecoderConfig limits = new HttpDecoderConfig().setMaxHeaderSize(HEADER_LIMIT);
        context.pipeline()
                .addBefore(context.name(), "first-byte", new FirstByte())
                .addBefore(context.name(), "sent", new Sent())
                .addBefore(context.name(), "codec", new HttpClientCodec(limits, false, false));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        run.onTimeout(FullPacket.noAnswer(
                run, "no HTTP response within " + run.probe().timeoutText()));
        context.writeAndFlush(HttpRequestHead.of(check, run.probe())).addListener(written -> {
            Throwable problem = written.cause();
            if (problem == null) {
                run.note("request sent: " + requestOctets + " octets");
            } else if (!(problem instanceof ClosedChannelException)) { // channelInactive has its words
                FailureReason.end(run, problem);
            }
        });
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        if (run.finished()) {
            return;
        }
        if (message.decoderResult().isFailure()) {
            run.fail(FailureReason.ofDecoding(message.decoderResult().cause()));
            return;
        }
        if (message instanceof HttpResponse head && !isInterim(head)) {
            response = head;
            run.note("HTTP " + head.status().code());
            // The status tells enough, unless the body has the load.
            if (!isExpected(head) && check.load().filter(HttpLoad::isInBody).isEmpty()) {
                conclude(context, head, false);
            }
        }
        // An interim response (100, 103) ends with a content of its own, before there is a status.
        if (message instanceof HttpContent content && response != null) {
            boolean last = message instanceof LastHttpContent;
            body.add(content.content());
            if (last || body.isFull()) {
                run.note((last ? "response ended: " : "response cut off: ") + body.length() + " octets of body");
                conclude(context, response, last);
            }
        }
    }

    private void conclude(ChannelHandlerContext context, HttpResponse head, boolean complete) {
        noteLoad(head, complete);
        if (!isExpected(head)) {
            run.fail("HTTP " + head.status().code());
        } else if (check.expectation().body().isPresent()
                && !check.expectation().body().get().in(body.text())) {
            run.fail("body did not match " + check.expectation().body().get());
        } else {
            FullPacket.conclude(run, context.channel(), "HTTP " + head.status().code());
        }
    }

    /** The response will not come to its end. */
    private void endBy(String reason) {
        if (response == null) {
            run.fail(reason);
            return;
        }
        noteLoad(response, false);
        run.fail(isExpected(response) ? reason : "HTTP " + response.status().code());
    }

    private void noteLoad(HttpResponse head, boolean complete) {
        if (check.load().isPresent()) {
            LoadSource source = check.load().get();
            run.notes(notes -> notes.withLoad(HttpLoad.read(source, head.headers(), body.octets(), complete)));
        }
    }

    private boolean isExpected(HttpResponse head) {
        return check.expectation().accepts(head.status().code());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        endBy(response == null ? "connection closed without an HTTP response" : "connection closed amid the response");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        FailureReason.end(run, cause);
    }

    private static boolean isInterim(HttpResponse response) {
        int code = response.status().code();
        return code >= 100 && code < 200 && code != 101;
    }
}
