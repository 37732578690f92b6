// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import com.google.protobuf.CodedOutputStream;
import io.l4lb.healthcheck.check.GrpcCheck;
import io.l4lb.healthcheck.load.LoadReading;
import io.l4lb.healthcheck.load.OrcaLoad;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call of {@code grpc.health.v1.Health/Check} (gRPC over HTTP/2; gRPC health checking protocol) on its stream. */
final class GrpcCall extends SimpleChannelInboundHandler<Http2StreamFrame> {
    private static final String METHOD = "/grpc.health.v1.Health/Check";
    private static final String CONTENT_TYPE = "application/grpc";
    private static final String LOAD = "endpoint-load-metrics-bin";
    private static final int MESSAGE_LIMIT = 4096;
    private static final int PREFIX = 5; // compressed or not, and the message's length
    private static final int SERVICE = 1; // the field of HealthCheckRequest
    /** For a header that makes a packet as long as the route demands; no table of HPACK may shorten it. */
    private static final String PADDING = "x-l4lb-padding";

    private final ProbeRun run;
    private final GrpcCheck check;
    private final ByteBuf received = Unpooled.buffer(64, MESSAGE_LIMIT);
    private @Nullable ChannelHandlerContext context;

    GrpcCall(ProbeRun run, GrpcCheck check) {
        this.run = run;
        this.check = check;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
    }

    /** Sends the request; once the stream is open. */
    void call() {
        if (context == null) {
            throw new IllegalStateException("the stream is not open");
        }
        Channel stream = context.channel();
        var unused = stream.write(new DefaultHttp2HeadersFrame(headers()));
        stream.writeAndFlush(new DefaultHttp2DataFrame(request(), true)).addListener(written -> {
            if (written.isSuccess()) {
                run.note("HTTP/2 preface and request sent");
            } else if (!run.finished()) {
                FailureReason.end(run, written.cause());
            }
        });
    }

    private Http2Headers headers() {
        Http2Headers headers = new DefaultHttp2Headers()
                .method("POST")
                .scheme(check.tls().isPresent() ? "https" : "http")
                .authority(check.authority()
                        .orElseGet(() -> HttpRequestHead.hostOf(run.probe().destination(), 0)))
                .path(METHOD)
                .add("content-type", CONTENT_TYPE)
                .add("te", "trailers")
                .add("user-agent", "l4lb-healthcheck")
                .add("grpc-timeout", Math.max(1, run.probe().timeout().toMillis()) + "m");
        int padding = FullPacket.octets(run.probe().route());
        // Huffman's code takes 8 bits or more for each of these.
        return padding == 0 ? headers : headers.add(PADDING, "X".repeat(padding));
    }

    private ByteBuf request() {
        byte[] message = new byte[CodedOutputStream.computeStringSize(SERVICE, check.service())];
        try {
            CodedOutputStream.newInstance(message).writeString(SERVICE, check.service());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // it fits
        }
        return Unpooled.buffer(PREFIX + message.length)
                .writeByte(0)
                .writeInt(message.length)
                .writeBytes(message);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext reading, Http2StreamFrame frame) {
        if (frame instanceof Http2HeadersFrame headers) {
            headers(headers.headers(), headers.isEndStream());
        } else if (frame instanceof Http2DataFrame data) {
            if (data.content().readableBytes() > received.maxWritableBytes()) {
                run.fail("gRPC answer of more than " + MESSAGE_LIMIT + " octets");
                return;
            }
            received.writeBytes(data.content());
            if (data.isEndStream()) {
                run.fail("gRPC answer without a status");
            }
        } else if (frame instanceof Http2ResetFrame reset) {
            run.fail("HTTP/2 RST_STREAM " + GrpcExchange.nameOf(reset.errorCode()));
        }
    }

    private void headers(Http2Headers headers, boolean last) {
        CharSequence status = headers.status();
        if (status != null) {
            run.note("HTTP " + status);
            if (status.length() == 3 && status.charAt(0) == '1') {
                return; // an interim response
            }
            if (!status.toString().equals("200")) {
                run.fail("HTTP " + GrpcStatus.printable(status.toString()));
                return;
            }
            CharSequence type = headers.get("content-type");
            if (type == null || !type.toString().startsWith(CONTENT_TYPE)) {
                run.fail("peer does not speak gRPC: content-type "
                        + (type == null ? "is missing" : GrpcStatus.printable(type.toString())));
                return;
            }
        }
        if (last) {
            end(headers);
        }
    }

    private void end(Http2Headers trailers) {
        CharSequence load = trailers.get(LOAD);
        if (load != null) {
            LoadReading reading = OrcaLoad.parseBinary(load.toString());
            run.notes(notes -> notes.withLoad(reading));
        }
        CharSequence code = trailers.get("grpc-status");
        if (code == null) {
            run.fail("gRPC answer without a status");
            return;
        }
        run.note("grpc-status " + GrpcStatus.printable(code.toString()));
        if (!code.toString().equals("0")) {
            CharSequence message = trailers.get("grpc-message");
            run.fail("gRPC status " + GrpcStatus.words(code.toString(), message == null ? "" : message.toString()));
            return;
        }
        Optional<String> serving = GrpcStatus.serving(received);
        if (serving.isEmpty()) {
            run.fail("malformed gRPC answer");
        } else if (!serving.get().equals(GrpcStatus.SERVING)) {
            run.fail("gRPC " + serving.get());
        } else if (context != null) {
            FullPacket.conclude(run, context.channel().parent(), GrpcStatus.SERVING);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext closed) {
        received.release();
        run.fail("connection closed before a gRPC answer");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext failing, Throwable cause) {
        FailureReason.end(run, cause);
    }
}
