// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A client that says what it likes, byte by byte. */
final class RawClient implements AutoCloseable {
    private final SocketChannel channel;

    RawClient(Path socket) {
        try {
            channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channel.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String ask(Path socket, String request) {
        try (RawClient client = new RawClient(socket)) {
            try {
                client.send(request);
            } catch (UncheckedIOException e) {
                // A server that is full answers and closes without having read anything.
            }
            return client.readAll();
        }
    }

    static String ask(Path socket, String method, String target, String body) {
        return ask(
                socket,
                method + " " + target + " HTTP/1.1\r\nHost: l4lb\r\nContent-Length: " + body.length() + "\r\n\r\n"
                        + body);
    }

    void send(String text) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until the server closes the connection, in order or not. */
    String readAll() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(8192);
        try {
            while (channel.read(buffer) >= 0) {
                all.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
        } catch (IOException e) {
            // A reset: the server closed with bytes of ours unread.
            return all.toString(StandardCharsets.UTF_8);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
