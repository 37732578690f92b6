// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** The TLS handshake is all there is. */
final class TlsExchange extends ChannelInboundHandlerAdapter {
    private final ProbeRun run;

    TlsExchange(ProbeRun run) {
        this.run = run;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        run.succeed("TLS handshake done");
    }
}
