// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.load.AgentCheck;
import io.l4lb.healthcheck.load.LoadReading;
import io.l4lb.healthcheck.load.LoadReport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;

/** The connection is made; then what the check wants: something is sent, an answer is matched, or an agent-check's line is read. */
final class TcpExchange extends SimpleChannelInboundHandler<ByteBuf> {
    /** What is looked for has to be among so many octets. */
    static final int ANSWER_LIMIT = 64 * 1024;

    static final int LINE_LIMIT = 4 * 1024;

    private static final Set<LoadReport.Word> FAILURES =
            Set.of(LoadReport.Word.DOWN, LoadReport.Word.FAIL, LoadReport.Word.STOPPED);

    private final ProbeRun run;
    private final TcpCheck check;
    private final Answer answer;

    TcpExchange(ProbeRun run, TcpCheck check) {
        this.run = run;
        this.check = check;
        this.answer = new Answer(check.expect().orElse(null), check.agentCheck() ? LINE_LIMIT : ANSWER_LIMIT);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        String sent = check.send().length() == 0 ? "" : ", " + check.send().length() + " octets sent";
        boolean wantsAnswer = check.agentCheck() || check.expect().isPresent();
        run.onTimeout(() -> timeout(sent));
        if (check.send().length() > 0) {
            context.writeAndFlush(Unpooled.wrappedBuffer(check.send().toArray()))
                    .addListener(written -> sent(written.cause(), wantsAnswer, sent));
        } else if (!wantsAnswer) {
            run.succeed("connected");
        }
    }

    private void sent(Throwable problem, boolean wantsAnswer, String sent) {
        if (problem != null) {
            FailureReason.end(run, problem);
            return;
        }
        run.note("sent: " + check.send().length() + " octets");
        if (!wantsAnswer) {
            run.succeed("connected" + sent);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        if (run.finished()) {
            return;
        }
        if (answer.isEmpty()) {
            run.note("first octet of the answer");
        }
        answer.add(message.toString(StandardCharsets.ISO_8859_1));
        if (check.agentCheck()) {
            readLine();
        } else if (check.expect().isPresent()) {
            match(answer.isFull());
        }
    }

    /** @param last nothing more will be looked at */
    private void match(boolean last) {
        if (answer.matches(last)) {
            run.succeed("answer matched " + check.expect().orElseThrow());
        } else if (last) {
            run.fail("answer did not match " + check.expect().orElseThrow());
        }
    }

    private void readLine() {
        int end = answer.lineEnd();
        if (end >= 0) {
            conclude(answer.upTo(end));
        } else if (answer.isFull()) {
            run.fail("agent-check's line is longer than " + LINE_LIMIT + " octets");
        }
    }

    private void conclude(String line) {
        LoadReading reading = AgentCheck.parse(line);
        run.notes(notes -> notes.withLoad(reading));
        LoadReport.Word word = reading.report().flatMap(LoadReport::word).orElse(LoadReport.Word.UP);
        if (FAILURES.contains(word)) {
            run.fail("agent-check says " + word.name().toLowerCase(Locale.ROOT));
        } else {
            run.succeed("agent-check answered");
        }
    }

    private void timeout(String sent) {
        String within = " within " + run.probe().timeoutText();
        if (answer.isEmpty()) {
            run.fail("no answer" + within + " (connected" + sent + ")");
        } else if (check.agentCheck()) {
            run.fail("agent-check's line did not end" + within);
        } else if (answer.matches(true)) {
            run.succeed("answer matched " + check.expect().orElseThrow());
        } else {
            run.fail("answer did not match " + check.expect().orElseThrow() + within);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (answer.isEmpty()) {
            run.fail("connection closed before an answer");
        } else if (check.agentCheck()) {
            conclude(answer.upTo(answer.length()));
        } else {
            match(true);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        FailureReason.end(run, cause);
    }
}
