// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** The body of a response, counted, and kept up to a limit if somebody wants to look at it. */
final class HttpBody {
    private final int limit;
    private final boolean kept;
    private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
    private long length;

    HttpBody(int limit, boolean kept) {
        this.limit = limit;
        this.kept = kept;
    }

    void add(ByteBuf piece) {
        length += piece.readableBytes();
        if (kept) {
            byte[] taken = new byte[Math.min(piece.readableBytes(), limit - octets.size())];
            piece.getBytes(piece.readerIndex(), taken);
            octets.writeBytes(taken);
        }
    }

    boolean isFull() {
        return length >= limit;
    }

    long length() {
        return length;
    }

    /** What was kept of it. */
    byte[] octets() {
        return octets.toByteArray();
    }

    /** The same, one character an octet. */
    String text() {
        return octets.toString(StandardCharsets.ISO_8859_1);
    }
}
