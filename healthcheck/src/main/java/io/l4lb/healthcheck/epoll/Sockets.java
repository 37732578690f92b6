// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.IntegerUnixChannelOption;

/** What sockets of all kinds of probes have in common. */
final class Sockets {
    // include/uapi/asm-generic/socket.h; Netty has no name for it.
    private static final int SOL_SOCKET = 1;
    private static final int SO_MARK_NUMBER = 36;
    private static final ChannelOption<Integer> SO_MARK =
            new IntegerUnixChannelOption("SO_MARK", SOL_SOCKET, SO_MARK_NUMBER);

    private Sockets() {}

    /**
     * Makes its packets take the probe's route.
     *
     * @throws io.netty.channel.ChannelException if that is not allowed
     */
    static void mark(ProbeRun run, Channel channel) {
        int mark = run.probe().route().mark();
        if (!run.probe().route().isDirect()) {
            channel.config().setOption(SO_MARK, mark);
        }
        if (run.traced()) {
            run.note(mark == 0 ? "socket" : "socket, mark " + Integer.toUnsignedString(mark));
        }
    }

    /** Past the pipeline: a TLS handler would say goodbye first, and wait until that is sent. */
    static void close(Channel channel, Runnable closed) {
        if (channel.isRegistered()) {
            channel.unsafe().close(channel.newPromise().addListener(done -> closed.run()));
        } else {
            channel.unsafe().closeForcibly();
            closed.run();
        }
    }
}
