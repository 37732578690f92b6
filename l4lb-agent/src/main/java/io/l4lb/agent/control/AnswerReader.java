// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpResponse;
import java.io.EOFException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Waits for the one response of a connection. */
final class AnswerReader extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final CompletableFuture<ControlClient.Answer> answer;

    AnswerReader(CompletableFuture<ControlClient.Answer> answer) {
        this.answer = answer;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
        answer.complete(new ControlClient.Answer(
                response.status().code(), response.content().toString(StandardCharsets.UTF_8)));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        answer.completeExceptionally(new EOFException("the connection was closed without an answer"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        answer.completeExceptionally(cause);
        var unused = context.close();
    }
}
