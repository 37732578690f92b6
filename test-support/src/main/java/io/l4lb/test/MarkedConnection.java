// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import io.l4lb.test.internal.jnr.LibC;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** A TCP exchange from a socket with a mark (SO_MARK), which Java's own sockets cannot have. */
public final class MarkedConnection {
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_STREAM_CLOEXEC = 1 | 0x80000;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SO_SNDTIMEO = 21;
    private static final int SO_MARK = 36;
    private static final int MSG_NOSIGNAL = 0x4000;
    private static final int SHUT_WR = 1;

    private MarkedConnection() {}

    /**
     * Connects from the calling thread's network namespace, sends everything, closes its side and reads until the
     * other side closes.
     *
     * @param mark 0 for none
     * @param seconds bound of each step
     * @return what came back; empty if it could not connect or the exchange broke
     */
    public static Optional<byte[]> exchange(InetAddress address, int port, int mark, byte[] request, int seconds) {
        LibC libc = LibC.get();
        byte[] destination = socketAddress(address, port);
        int socket = libc.socket(destination.length == 16 ? AF_INET : AF_INET6, SOCK_STREAM_CLOEXEC, 0);
        if (socket < 0) {
            throw new IllegalStateException("no socket");
        }
        try {
            set(libc, socket, SO_MARK, word(mark));
            set(libc, socket, SO_RCVTIMEO, seconds(seconds));
            set(libc, socket, SO_SNDTIMEO, seconds(seconds));
            if (libc.connect(socket, destination, destination.length) != 0 || !sendAll(libc, socket, request)) {
                return Optional.empty();
            }
            libc.shutdown(socket, SHUT_WR);
            return receiveAll(libc, socket);
        } finally {
            libc.close(socket);
        }
    }

    private static boolean sendAll(LibC libc, int socket, byte[] request) {
        ByteBuffer rest = ByteBuffer.wrap(request);
        while (rest.hasRemaining()) {
            byte[] chunk = new byte[Math.min(65536, rest.remaining())];
            rest.duplicate().get(chunk);
            long sent = libc.send(socket, chunk, chunk.length, MSG_NOSIGNAL);
            if (sent <= 0) {
                return false;
            }
            rest.position(rest.position() + (int) sent);
        }
        return true;
    }

    private static Optional<byte[]> receiveAll(LibC libc, int socket) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] chunk = new byte[65536];
        long received;
        while ((received = libc.recv(socket, chunk, chunk.length, 0)) > 0) {
            all.write(chunk, 0, (int) received);
        }
        return received < 0 ? Optional.empty() : Optional.of(all.toByteArray());
    }

    /** sockaddr_in or sockaddr_in6. */
    private static byte[] socketAddress(InetAddress address, int port) {
        byte[] bytes = address.getAddress();
        boolean ipv4 = bytes.length == 4;
        ByteBuffer out = ByteBuffer.allocate(ipv4 ? 16 : 28).order(ByteOrder.nativeOrder());
        out.putShort(0, (short) (ipv4 ? AF_INET : AF_INET6));
        out.put(2, (byte) (port >> 8)).put(3, (byte) port);
        out.put(ipv4 ? 4 : 8, bytes);
        byte[] result = new byte[out.capacity()];
        out.get(0, result);
        return result;
    }

    private static void set(LibC libc, int socket, int option, byte[] value) {
        if (libc.setsockopt(socket, SOL_SOCKET, option, value, value.length) != 0) {
            throw new IllegalStateException("socket option " + option);
        }
    }

    private static byte[] word(int value) {
        byte[] bytes = new byte[4];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putInt(value);
        return bytes;
    }

    /** A struct timeval. */
    private static byte[] seconds(int value) {
        byte[] bytes = new byte[16];
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).putLong(value);
        return bytes;
    }
}
