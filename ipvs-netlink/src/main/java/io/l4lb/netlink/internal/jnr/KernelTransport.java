// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.internal.jnr;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkTransport;
import io.l4lb.netlink.Octets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A netlink socket, with an event descriptor beside it that wakes a waiting reader on close (the kernel would let it sleep
 * on). The lock keeps the descriptors open while a call uses them.
 */
public final class KernelTransport implements NetlinkTransport {
    private static final int NETLINK_ADD_MEMBERSHIP = 1;
    private static final int NETLINK_CAP_ACK = 10;
    private static final int NETLINK_EXT_ACK = 11;
    private static final int NETLINK_GET_STRICT_CHK = 12;

    private final SystemCalls calls;
    private final int socket;
    private final int waker;
    private final ReentrantLock inUse = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();

    private KernelTransport(SystemCalls calls, int socket, int waker) {
        this.calls = calls;
        this.socket = socket;
        this.waker = waker;
    }

    public static KernelTransport open(NetlinkProtocol protocol, List<Integer> groups) {
        SystemCalls calls = new SystemCalls();
        int socket = calls.socket(protocol);
        try {
            configure(calls, socket, protocol, groups);
            return new KernelTransport(calls, socket, calls.eventDescriptor());
        } catch (RuntimeException failed) {
            calls.close(socket);
            throw failed;
        }
    }

    private static void configure(SystemCalls calls, int socket, NetlinkProtocol protocol, List<Integer> groups) {
        calls.bind(socket);
        calls.setNetlinkOption(socket, NETLINK_CAP_ACK, 1, "4.3");
        calls.setNetlinkOption(socket, NETLINK_EXT_ACK, 1, "4.12");
        if (protocol == NetlinkProtocol.ROUTE) {
            // Without it the kernel ignores what a dump asks to be filtered by.
            calls.setNetlinkOption(socket, NETLINK_GET_STRICT_CHK, 1, "4.20");
        }
        for (int group : groups) {
            calls.setNetlinkOption(socket, NETLINK_ADD_MEMBERSHIP, group, "2.6.14");
        }
    }

    @Override
    public void send(Octets datagram) {
        inUse.lock();
        try {
            if (closed.get()) {
                throw new NetlinkException("send netlink message", Errno.EBADF, "socket closed");
            }
            calls.send(socket, datagram);
        } finally {
            inUse.unlock();
        }
    }

    @Override
    public Optional<Octets> receive(Duration timeout) {
        inUse.lock();
        try {
            long start = System.nanoTime();
            long left = timeout.toNanos();
            Optional<Octets> datagram = Optional.empty();
            while (!closed.get() && datagram.isEmpty() && left >= 0) {
                // What is there already needs no poll, as the acks of a pipeline.
                datagram = calls.receive(socket);
                if (datagram.isEmpty() && calls.poll(socket, waker, millisRoundedUp(left))) {
                    datagram = calls.receive(socket);
                }
                // A wait of zero still looks once, and is over after that.
                left = timeout.toNanos() - Math.max(1, System.nanoTime() - start);
            }
            return datagram;
        } finally {
            inUse.unlock();
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        calls.signal(waker);
        inUse.lock();
        try {
            calls.close(socket);
            calls.close(waker);
        } finally {
            inUse.unlock();
        }
    }

    private static int millisRoundedUp(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, (nanos + 999_999) / 1_000_000);
    }
}
