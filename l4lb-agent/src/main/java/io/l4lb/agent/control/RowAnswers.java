// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * Hands over the rows of one answer on the client's thread: a reader that takes its time makes the server wait, or lose
 * rows, as it was asked to. An answer that is no rows is passed on as a whole.
 */
final class RowAnswers extends SimpleChannelInboundHandler<HttpObject> {
    private final RowReader reader;
    private final CompletableFuture<ControlClient.Answer> end;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private int status;
    private boolean rows;

    /**
     * A reader of one answer.
     *
     * @param end completes with an empty body behind the last row
     */
    RowAnswers(RowReader reader, CompletableFuture<ControlClient.Answer> end) {
        this.reader = reader;
        this.end = end;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject part) {
        if (end.isDone()) {
            return;
        }
        if (part instanceof HttpResponse response) {
            status = response.status().code();
            rows = RowStream.TYPE.equals(response.headers().get(HttpHeaderNames.CONTENT_TYPE));
        }
        if (part instanceof HttpContent content) {
            byte[] bytes = new byte[content.content().readableBytes()];
            content.content().readBytes(bytes);
            if (!take(bytes) || part instanceof LastHttpContent) {
                end.complete(new ControlClient.Answer(status, rows ? "{}" : line.toString(StandardCharsets.UTF_8)));
            }
        }
    }

    private boolean take(byte[] bytes) {
        int from = 0;
        for (int i = 0; rows && i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                line.write(bytes, from, i - from);
                from = i + 1;
                String text = line.toString(StandardCharsets.UTF_8);
                line.reset();
                if (!read(row(text))) {
                    return false;
                }
            }
        }
        line.write(bytes, from, bytes.length - from);
        return true;
    }

    /** What the reader throws is told apart from what the connection throws. */
    private boolean read(JsonNode row) {
        try {
            return reader.row(row);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode row(String text) {
        JsonNode row;
        try {
            row = Json.parse(text);
        } catch (JsonProcessingException e) {
            throw new ControlException(ControlException.Kind.BAD_ANSWER, "a row of the agent's answer is not JSON", e);
        }
        if (row.has("error")) {
            throw ControlException.refused(row.path("error").asText());
        }
        return row;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end.completeExceptionally(new EOFException("the connection was closed before the end of the answer"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end.completeExceptionally(cause);
        var unused = context.close();
    }
}
