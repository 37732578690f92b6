// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A connection to the bridge: lines in, lines out, never blocking. Used by one thread. */
final class BridgeLink implements Closeable {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final ByteBuffer input = ByteBuffer.allocate(64 * 1024);
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
    private ByteBuffer output = ByteBuffer.allocate(0);

    private BridgeLink(SocketChannel channel, SelectionKey key) {
        this.channel = channel;
        this.key = key;
    }

    /** Throws IOException if nobody listens there. */
    static BridgeLink connect(Path socket, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.configureBlocking(false);
            return new BridgeLink(channel, channel.register(selector, SelectionKey.OP_READ));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** The complete lines that have arrived, without their line feeds; EOFException when the bridge is gone. */
    List<String> read() throws IOException {
        List<String> lines = new ArrayList<>();
        int count = channel.read(input);
        while (count > 0) {
            split(lines);
            count = channel.read(input);
        }
        if (count < 0 && lines.isEmpty()) {
            throw new EOFException("the bridge closed the connection");
        }
        return lines;
    }

    private void split(List<String> lines) {
        input.flip();
        while (input.hasRemaining()) {
            byte next = input.get();
            if (next == '\n') {
                lines.add(partial.toString(StandardCharsets.UTF_8));
                partial.reset();
            } else {
                partial.write(next);
            }
        }
        input.clear();
    }

    /** One line without its line feed; what the socket does not take at once follows with {@link #flush}. */
    void write(String line) throws IOException {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.US_ASCII);
        output = ByteBuffer.allocate(output.remaining() + bytes.length)
                .put(output)
                .put(bytes);
        output.flip();
        flush();
    }

    void flush() throws IOException {
        channel.write(output);
        key.interestOps(output.hasRemaining() ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    }

    @Override
    public void close() throws IOException {
        key.cancel();
        channel.close();
    }
}
