// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.HttpMessage;
import io.netty.handler.codec.http.HttpObjectAggregator;

/** Collects a request with its body, and refuses one whose body is too large. */
final class BoundedRequests extends HttpObjectAggregator {
    BoundedRequests(int maxBody) {
        super(maxBody);
    }

    @Override
    protected void handleOversizedMessage(ChannelHandlerContext context, HttpMessage oversized) {
        context.writeAndFlush(Reply.error(413, "the body is larger than " + maxContentLength() + " bytes")
                        .http())
                .addListener(ChannelFutureListener.CLOSE);
    }
}
