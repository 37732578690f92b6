// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.DnsCheck;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DatagramPacket;
import io.netty.handler.codec.dns.DatagramDnsQuery;
import io.netty.handler.codec.dns.DatagramDnsQueryEncoder;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsSection;
import java.util.concurrent.ThreadLocalRandom;

/** One question of DNS and its answer. Datagrams that answer another question are passed over. */
final class DnsExchange extends SimpleChannelInboundHandler<DatagramPacket> {
    private static final int IDS = 1 << 16;

    private final ProbeRun run;
    private final DnsCheck check;
    private final DnsQuestion question;
    private final int id = ThreadLocalRandom.current().nextInt(IDS);

    DnsExchange(ProbeRun run, DnsCheck check) {
        this.run = run;
        this.check = check;
        this.question = new DefaultDnsQuestion(
                check.name() + ".", DnsRecordType.valueOf(check.recordType().name()));
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.pipeline().addBefore(context.name(), "query", new DatagramDnsQueryEncoder());
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        run.onTimeout("no answer within " + run.probe().timeoutText() + " (query sent "
                + run.probe().route().words() + ")");
        DatagramDnsQuery query = new DatagramDnsQuery(null, run.probe().destination(), id);
        query.setRecursionDesired(true).addRecord(DnsSection.QUESTION, question);
        context.writeAndFlush(query).addListener(written -> {
            Throwable problem = written.cause();
            if (problem == null) {
                run.note("query " + question.name() + " " + question.type().name() + " sent "
                        + run.probe().route().words());
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
        new DnsAnswer(id, question, check.answer())
                .read(packet.content().slice())
                .ifPresent(verdict -> {
                    if (verdict.success()) {
                        run.succeed(verdict.reason());
                    } else {
                        run.fail(verdict.reason());
                    }
                });
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        DatagramPart.end(run, cause);
    }
}
