// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.HttpCheck;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;

/** One GET and its response, read to its end or to {@link #BODY_LIMIT}. */
final class HttpExchange extends SimpleChannelInboundHandler<HttpObject> {
    /** A longer body is not read on: its status alone counts. */
    static final int BODY_LIMIT = 64 * 1024;

    private static final int HTTP_PORT = 80;

    /** Sees the bytes before they are a message: a drip of header bytes is an answer, though not one that ends. */
    private final class FirstByte extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            run.onTimeout("response did not end within " + run.target().timing().timeoutText());
            context.fireChannelRead(message);
        }
    }

    private final ProbeRun run;
    private final HttpCheck check;
    private int status; // 0 until the final response's header has come
    private long bodyBytes;

    HttpExchange(ProbeRun run, HttpCheck check) {
        this.run = run;
        this.check = check;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.pipeline()
                .addBefore(context.name(), "first-byte", new FirstByte())
                .addBefore(context.name(), "codec", new HttpClientCodec());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        run.onTimeout("no HTTP response within " + run.target().timing().timeoutText());
        context.writeAndFlush(request()).addListener(written -> {
            if (!written.isSuccess()) {
                run.fail(FailureReason.ofConversation(written.cause()));
            }
        });
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) {
        if (message.decoderResult().isFailure()) {
            run.fail(FailureReason.ofDecoding(message.decoderResult().cause()));
            return;
        }
        if (message instanceof HttpResponse response && !isInterim(response)) {
            status = response.status().code();
            if (!check.expected().contains(status)) {
                run.fail("HTTP " + status);
            }
        }
        // An interim response (100, 103) ends with a content of its own, before there is a status.
        if (message instanceof HttpContent content && status != 0) {
            bodyBytes += content.content().readableBytes();
            if (message instanceof LastHttpContent || bodyBytes >= BODY_LIMIT) {
                run.succeed("HTTP " + status);
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        run.fail(status == 0 ? "connection closed without an HTTP response" : "connection closed amid the response");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        run.fail(FailureReason.ofConversation(cause));
    }

    private static boolean isInterim(HttpResponse response) {
        int code = response.status().code();
        return code >= 100 && code < 200 && code != 101;
    }

    private FullHttpRequest request() {
        FullHttpRequest request =
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, check.path(), Unpooled.EMPTY_BUFFER);
        request.headers()
                .set(
                        HttpHeaderNames.HOST,
                        check.host().orElseGet(() -> hostOf(run.target().destination())))
                .set(HttpHeaderNames.USER_AGENT, "l4lb-healthcheck")
                .set(HttpHeaderNames.ACCEPT, "*/*")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return request;
    }

    /** The VIP as a URI writes it (RFC 3986, section 3.2.2): a v6 address shortened and in brackets, no port if it is 80. */
    static String hostOf(InetSocketAddress destination) {
        String address = NetUtil.toAddressString(destination.getAddress());
        String host = address.contains(":") ? "[" + address + "]" : address;
        return destination.getPort() == HTTP_PORT ? host : host + ":" + destination.getPort();
    }
}
