// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.GrpcCheck;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;

/** One connection of HTTP/2 (RFC 9113) with one call on it. */
final class GrpcExchange extends ChannelInboundHandlerAdapter {
    /** gRPC servers send no pushes, and no header of theirs is long. */
    private static final long LARGEST_HEADER = 16 * 1024;

    /** The answers of health checking are some octets long; a window of this size bounds what has to be kept. */
    private static final int WINDOW = 65535;

    private final ProbeRun run;
    private final GrpcCheck check;
    private boolean settled; // the peer has shown that it speaks HTTP/2

    GrpcExchange(ProbeRun run, GrpcCheck check) {
        this.run = run;
        this.check = check;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        Http2Settings settings =
                new Http2Settings().pushEnabled(false).initialWindowSize(WINDOW).maxHeaderListSize(LARGEST_HEADER);
        context.pipeline()
                .addBefore(
                        context.name(),
                        "http2",
                        Http2FrameCodecBuilder.forClient()
                                .initialSettings(settings)
                                .build())
                .addBefore(context.name(), "streams", new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        run.onTimeout(
                FullPacket.noAnswer(run, "no gRPC answer within " + run.probe().timeoutText()));
        var unused = new Http2StreamChannelBootstrap(context.channel())
                .handler(new GrpcCall(run, check))
                .open()
                .addListener(opened -> {
                    if (opened.isSuccess()) {
                        ((Http2StreamChannel) opened.getNow())
                                .pipeline()
                                .get(GrpcCall.class)
                                .call();
                    } else {
                        FailureReason.end(run, opened.cause());
                    }
                });
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Http2SettingsFrame) {
            settled = true;
        }
        if (message instanceof Http2GoAwayFrame goAway && goAway.errorCode() != Http2Error.NO_ERROR.code()) {
            run.fail("HTTP/2 GOAWAY " + nameOf(goAway.errorCode()));
        }
        ReferenceCountUtil.release(message);
    }

    /** As RFC 9113, section 7, names it. */
    static String nameOf(long code) {
        Http2Error known = Http2Error.valueOf(code);
        return known == null ? Long.toString(code) : known.name();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        run.fail("connection closed before a gRPC answer");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof Http2Exception) {
            run.fail(settled ? "malformed HTTP/2: " + cause.getMessage() : "peer does not speak HTTP/2");
        } else {
            FailureReason.end(run, cause);
        }
    }
}
