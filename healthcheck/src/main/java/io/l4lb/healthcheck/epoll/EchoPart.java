// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.internal.jnr.EchoSocketException;
import io.l4lb.healthcheck.internal.jnr.EchoSockets;
import io.netty.channel.ChannelFuture;
import io.netty.channel.epoll.EpollDatagramChannel;

/** A raw ICMP socket of the probe's own, connected to its destination: the kernel hands it echo replies of that address alone. */
final class EchoPart implements Runnable {
    private static final int EPERM = 1;
    private static final int EACCES = 13;

    private final ProbeRun run;
    private final EchoSockets sockets;

    EchoPart(ProbeRun run, EchoSockets sockets) {
        this.run = run;
        this.sockets = sockets;
    }

    @Override
    public void run() {
        Probe probe = run.probe();
        int descriptor;
        try {
            descriptor =
                    sockets.open(probe.destination().getAddress(), probe.route().mark());
        } catch (EchoSocketException e) {
            refused(e);
            return;
        }
        EpollDatagramChannel channel = new EpollDatagramChannel(descriptor); // which closes it from now on
        run.holds(closed -> Sockets.close(channel, closed));
        channel.pipeline().addLast(new EchoExchange(run));
        run.loop().register(channel).addListener((ChannelFuture registered) -> {
            if (!registered.isSuccess()) {
                run.giveUp(FailureReason.ofSocket(registered.cause()));
            }
        });
    }

    private void refused(EchoSocketException e) {
        if (e.errno() == EPERM || e.errno() == EACCES) {
            run.giveUp(
                    "no ICMP socket for the probe: operation not permitted (CAP_NET_RAW or CAP_NET_ADMIN is missing)");
        } else if (FailureReason.isUnreachable(e.errno())) {
            run.fail("no route to host");
        } else {
            run.giveUp("no ICMP socket for the probe: " + e.getMessage());
        }
    }
}
