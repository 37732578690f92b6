// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.fake;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkTransport;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Plays the kernel: answers each request by a function, hands out what was queued, and never waits (an empty queue is a
 * timeout at once). For one thread.
 */
public final class FakeTransport implements NetlinkTransport {
    private final Function<NetlinkMessage, List<Octets>> kernel;
    private final Deque<Supplier<Octets>> queue = new ArrayDeque<>();
    private final List<Octets> sent = new ArrayList<>();
    private boolean closed;

    /**
     * Answers by a function.
     *
     * @param kernel request to the datagrams of its answer
     */
    public FakeTransport(Function<NetlinkMessage, List<Octets>> kernel) {
        this.kernel = kernel;
    }

    /** Answers every request with the same captured datagrams, their sequence numbers made to fit the request. */
    public static FakeTransport answering(Octets... captured) {
        return new FakeTransport(request -> {
            List<Octets> datagrams = new ArrayList<>();
            for (Octets datagram : captured) {
                datagrams.add(resequenced(datagram, request.sequence()));
            }
            return datagrams;
        });
    }

    /** One that only hands out what is queued. */
    public static FakeTransport silent() {
        return new FakeTransport(request -> List.of());
    }

    /** Queues a datagram, such as a multicast. */
    public void deliver(Octets datagram) {
        queue.add(() -> datagram);
    }

    /** Queues a failure of receive. */
    public void fail(Errno errno) {
        queue.add(() -> {
            throw new NetlinkException("receive", errno, "");
        });
    }

    /** The datagrams sent so far, oldest first. */
    public List<Octets> sent() {
        return List.copyOf(sent);
    }

    public boolean isClosed() {
        return closed;
    }

    @Override
    public void send(Octets datagram) {
        if (closed) {
            throw new NetlinkException("send", Errno.EBADF, "socket closed");
        }
        sent.add(datagram);
        for (NetlinkMessage request : NetlinkMessage.decodeAll(datagram)) {
            kernel.apply(request).forEach(this::deliver);
        }
    }

    @Override
    public Optional<Octets> receive(Duration timeout) {
        return closed || queue.isEmpty()
                ? Optional.empty()
                : Optional.of(queue.remove().get());
    }

    @Override
    public void close() {
        closed = true;
    }

    private static Octets resequenced(Octets datagram, int sequence) {
        OctetsWriter out = new OctetsWriter();
        for (NetlinkMessage message : NetlinkMessage.decodeAll(datagram)) {
            NetlinkMessage fitting =
                    new NetlinkMessage(message.type(), message.flags(), sequence, message.port(), message.payload());
            out.octets(fitting.encode()).zeros(-message.payload().length() & 3);
        }
        return out.toOctets();
    }
}
