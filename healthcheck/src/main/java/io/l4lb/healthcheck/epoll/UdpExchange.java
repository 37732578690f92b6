// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.UdpCheck;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import java.nio.charset.StandardCharsets;

/** One datagram and its answer, or that nobody says that it did not arrive. */
final class UdpExchange extends SimpleChannelInboundHandler<DatagramPacket> {
    private final ProbeRun run;
    private final UdpCheck check;

    UdpExchange(ProbeRun run, UdpCheck check) {
        this.run = run;
        this.check = check;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        String timeout = run.probe().timeoutText();
        String sent = "datagram sent " + run.probe().route().words();
        if (check.expect().isPresent()) {
            run.onTimeout("no answer within " + timeout + " (" + sent + ")");
        } else {
            run.onTimeout(() -> run.succeed("no ICMP error within " + timeout));
        }
        byte[] octets = check.send().toArray();
        context.writeAndFlush(Unpooled.wrappedBuffer(octets)).addListener(written -> {
            Throwable problem = written.cause();
            if (problem == null) {
                run.note(sent + ": " + octets.length + " octets");
            } else {
                DatagramPart.end(run, problem);
            }
        });
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        if (run.traced()) {
            run.note("answer of " + packet.content().readableBytes() + " octets");
        }
        if (check.expect().isEmpty()) {
            run.succeed("answered");
        } else if (check.expect().get().in(packet.content().toString(StandardCharsets.ISO_8859_1))) {
            run.succeed("answer matched " + check.expect().get());
        } else {
            run.fail("answer did not match " + check.expect().get());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        DatagramPart.end(run, cause);
    }
}
