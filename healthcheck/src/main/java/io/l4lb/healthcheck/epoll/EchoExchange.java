// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import java.net.Inet4Address;
import java.util.concurrent.ThreadLocalRandom;

/** An ICMP echo request (RFC 792, RFC 4443 section 4.1) and the reply that has all of its data. */
final class EchoExchange extends SimpleChannelInboundHandler<DatagramPacket> {
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int ICMP_HEADER = 8;
    private static final int ECHO_REQUEST = 8;
    private static final int ECHO_REPLY = 0;
    private static final int ECHO_REQUEST_6 = 128;
    private static final int ECHO_REPLY_6 = 129;
    /** By which a reply is known: nobody guesses so many octets. */
    private static final int NONCE = 16;

    private final ProbeRun run;
    private final boolean v4;
    private final byte[] echoed; // identifier, sequence number, data

    EchoExchange(ProbeRun run) {
        this.run = run;
        this.v4 = run.probe().destination().getAddress() instanceof Inet4Address;
        int headers = (v4 ? IPV4_HEADER : IPV6_HEADER) + ICMP_HEADER;
        this.echoed = new byte[4 + Math.max(NONCE, run.probe().route().packetSize() - headers)];
        byte[] nonce = new byte[4 + NONCE];
        ThreadLocalRandom.current().nextBytes(nonce);
        System.arraycopy(nonce, 0, echoed, 0, nonce.length);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        int size = run.probe().route().packetSize();
        String timeout = run.probe().timeoutText();
        String sent = "echo request sent " + run.probe().route().words();
        run.onTimeout(
                size == 0
                        ? "no answer within " + timeout + " (" + sent + ")"
                        : "no answer to an echo request of " + size + " octets within " + timeout + " (path MTU?)");
        context.writeAndFlush(request()).addListener(written -> {
            Throwable problem = written.cause();
            if (problem == null) {
                run.note(sent);
            } else {
                end(problem);
            }
        });
    }

    private ByteBuf request() {
        ByteBuf request = Unpooled.buffer(4 + echoed.length);
        request.writeByte(v4 ? ECHO_REQUEST : ECHO_REQUEST_6).writeZero(3).writeBytes(echoed);
        if (v4) {
            request.setShort(2, checksum(request)); // for ICMPv6 the kernel does that (RFC 3542, section 3.1)
        }
        return request;
    }

    /** RFC 1071. */
    private static int checksum(ByteBuf message) {
        long sum = 0;
        for (int i = 0; i < message.readableBytes(); i += 2) {
            sum += i + 1 < message.readableBytes() ? message.getUnsignedShort(i) : message.getUnsignedByte(i) << 8;
        }
        while (sum > 0xffff) {
            sum = (sum & 0xffff) + (sum >>> 16);
        }
        return (int) ~sum & 0xffff;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, DatagramPacket packet) {
        ByteBuf message = packet.content();
        if (v4 && message.isReadable()) { // a raw IPv4 socket gets the IP header too
            int header = (message.getByte(message.readerIndex()) & 0xf) * 4;
            message.skipBytes(Math.min(header, message.readableBytes()));
        }
        if (isReply(message)) {
            run.succeed("echo reply");
        }
    }

    private boolean isReply(ByteBuf message) {
        return message.readableBytes() == 4 + echoed.length
                && message.getUnsignedByte(message.readerIndex()) == (v4 ? ECHO_REPLY : ECHO_REPLY_6)
                && message.slice(message.readerIndex() + 4, echoed.length).equals(Unpooled.wrappedBuffer(echoed));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(cause);
    }

    private void end(Throwable cause) {
        if (FailureReason.isTooLong(cause)) {
            run.fail("packets of " + run.probe().route().packetSize()
                    + " octets do not get through: too long for the path");
        } else {
            DatagramPart.end(run, cause);
        }
    }
}
