// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.internal.jnr;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkUnsupportedException;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.util.Optional;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * System calls as methods that throw: each reads errno right after its call, and none returns -1. Holds the memory that
 * receive and poll write to, so one thread at a time uses those.
 */
final class SystemCalls {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int EFD_CLOEXEC_NONBLOCK = 0x80000 | 0x800;
    private static final int SOL_NETLINK = 270;
    private static final int MSG_PEEK = 0x2;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final short POLLIN = 0x1;
    private static final int SOCKET_ADDRESS = 12;
    private static final int SOCKET_ADDRESS_PORT = 4;
    private static final int POLL_ENTRY = 8;
    private static final int POLL_RETURNED = 6;
    /** What the kernel fills a dump's datagrams up to when the reader has room for it. */
    private static final int INITIAL_BUFFER = 32 * 1024;

    private final LibC libc = LibC.get();
    private final Runtime runtime = Runtime.getRuntime(libc);
    private final Pointer pollSet = Memory.allocateDirect(runtime, 2 * POLL_ENTRY);
    private final Pointer sender = Memory.allocateDirect(runtime, SOCKET_ADDRESS);
    private final Pointer senderLength = Memory.allocateDirect(runtime, 4);
    private Pointer buffer;

    SystemCalls() {
        this(INITIAL_BUFFER);
    }

    /** The buffer grows to the largest datagram seen. */
    SystemCalls(int initialBuffer) {
        buffer = Memory.allocateDirect(runtime, initialBuffer);
    }

    int socket(NetlinkProtocol protocol) {
        int descriptor = libc.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, protocol.number());
        if (descriptor < 0) {
            int errno = runtime.getLastError();
            if (errno == Errno.EPROTONOSUPPORT.number() || errno == Errno.EAFNOSUPPORT.number()) {
                throw new NetlinkUnsupportedException(
                        "open netlink socket", Errno.EPROTONOSUPPORT, "kernel without netlink protocol " + protocol);
            }
            throw failed("open netlink socket", errno);
        }
        return descriptor;
    }

    /** Lets the kernel choose the port ID. */
    void bind(int descriptor) {
        Octets address =
                new OctetsWriter().u16Host(AF_NETLINK).zeros(SOCKET_ADDRESS - 2).toOctets();
        if (libc.bind(descriptor, address.toArray(), SOCKET_ADDRESS) < 0) {
            throw failed("bind netlink socket", runtime.getLastError());
        }
    }

    /** @param minimumKernel named in the exception where the option is unknown */
    void setNetlinkOption(int descriptor, int option, int value, String minimumKernel) {
        if (libc.setsockopt(descriptor, SOL_NETLINK, option, new int[] {value}, 4) < 0) {
            int errno = runtime.getLastError();
            String operation = "set netlink socket option " + option + " to " + value;
            if (errno == Errno.ENOPROTOOPT.number()) {
                throw new NetlinkUnsupportedException(
                        operation, Errno.ENOPROTOOPT, "needs Linux " + minimumKernel + " or newer");
            }
            throw failed(operation, errno);
        }
    }

    void send(int descriptor, Octets datagram) {
        while (libc.send(descriptor, datagram.toArray(), datagram.length(), 0) < 0) {
            int errno = runtime.getLastError();
            if (errno != Errno.EINTR.number()) {
                throw failed("send netlink message", errno);
            }
        }
    }

    /** The next datagram if the kernel sent it; empty if there is none, or it came from somebody else. */
    Optional<Octets> receive(int descriptor) {
        long length = receive(descriptor, MSG_PEEK);
        if (length > buffer.size()) {
            buffer = Memory.allocateDirect(runtime, Math.toIntExact(length));
        }
        length = length < 0 ? length : receive(descriptor, 0);
        if (length < 0) {
            return Optional.empty();
        }
        if (length > buffer.size()) {
            throw new NetlinkException("receive netlink message", Errno.EMSGSIZE, "grew between peek and receive");
        }
        byte[] datagram = new byte[(int) length];
        buffer.get(0, datagram, 0, datagram.length);
        return sender.getInt(SOCKET_ADDRESS_PORT) == 0 ? Optional.of(Octets.of(datagram)) : Optional.empty();
    }

    /** The datagram's whole length, however much of it fitted; {@link Long#MIN_VALUE} if nothing is there yet. */
    private long receive(int descriptor, int peek) {
        senderLength.putInt(0, SOCKET_ADDRESS);
        long length =
                libc.recvfrom(descriptor, buffer, buffer.size(), peek | MSG_TRUNC | MSG_DONTWAIT, sender, senderLength);
        if (length >= 0) {
            return length;
        }
        int errno = runtime.getLastError();
        if (errno == Errno.EAGAIN.number() || errno == Errno.EINTR.number()) {
            return Long.MIN_VALUE;
        }
        throw failed("receive netlink message", errno);
    }

    int eventDescriptor() {
        int descriptor = libc.eventfd(0, EFD_CLOEXEC_NONBLOCK);
        if (descriptor < 0) {
            throw failed("open event descriptor", runtime.getLastError());
        }
        return descriptor;
    }

    void signal(int eventDescriptor) {
        if (libc.write(eventDescriptor, new long[] {1}, 8) < 0) {
            throw failed("signal event descriptor", runtime.getLastError());
        }
    }

    /** Waits until one of both is readable, the time has passed or a signal came; true if the first one is ready. */
    boolean poll(int descriptor, int eventDescriptor, int timeoutMillis) {
        pollSet.putInt(0, descriptor);
        pollSet.putInt(POLL_ENTRY, eventDescriptor);
        pollSet.putShort(4, POLLIN);
        pollSet.putShort(POLL_ENTRY + 4, POLLIN);
        if (libc.poll(pollSet, 2, timeoutMillis) < 0) {
            int errno = runtime.getLastError();
            if (errno == Errno.EINTR.number()) {
                return false;
            }
            throw failed("poll netlink socket", errno);
        }
        // Also POLLERR: receive then tells which error it is.
        return pollSet.getShort(POLL_RETURNED) != 0;
    }

    void close(int descriptor) {
        // Linux frees the descriptor even when close reports EINTR or EIO, and nothing unwritten can be lost here.
        if (libc.close(descriptor) < 0 && runtime.getLastError() == Errno.EBADF.number()) {
            throw new IllegalStateException("descriptor " + descriptor + " closed twice");
        }
    }

    private static NetlinkException failed(String operation, int errno) {
        return new NetlinkException(operation, Errno.nameOf(errno), "");
    }
}
