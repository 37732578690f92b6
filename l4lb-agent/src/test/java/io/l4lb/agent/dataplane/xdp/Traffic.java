// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Await.PATIENCE;
import static io.l4lb.test.Await.await;

import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.XdpAttachment;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.util.concurrent.atomic.AtomicLong;

/** Datagrams from the router to a service, one after the other until closed. */
final class Traffic implements AutoCloseable {
    private final XdpAttachment receiver;
    private final DatagramSocket socket;
    private final Thread thread;
    private final AtomicLong sent = new AtomicLong();

    Traffic(DirectorLab lab) throws Exception {
        lab.router("route add " + Samples.DNS4.vip().getHostAddress() + " via 10.2.0.2");
        receiver = lab.receiveOn("r0");
        socket = ThreadContext.inNamespace(lab.routerNamespace(), DatagramSocket::new);
        thread = new Thread(this::send, "traffic");
        thread.start();
    }

    private void send() {
        DatagramPacket packet = new DatagramPacket(new byte[64], 64, Samples.DNS4.vip(), Samples.DNS4.port());
        while (!socket.isClosed()) {
            try {
                socket.send(packet);
                sent.incrementAndGet();
            } catch (IOException e) {
                /* No buffer for a moment, or closed. */
            }
            Thread.onSpinWait();
        }
    }

    /** Waits until so many more have been sent. */
    void awaitMore(int packets) {
        long enough = sent.get() + packets;
        await(packets + " more packets are sent", () -> sent.get() >= enough);
    }

    @Override
    public void close() {
        socket.close();
        try {
            thread.join(PATIENCE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        receiver.close();
    }
}
