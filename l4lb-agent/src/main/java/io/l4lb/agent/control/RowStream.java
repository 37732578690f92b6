// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Rows on their way to a client: newline-delimited JSON in chunks. The last row of a failed answer is {@code {"error":
 * "..."}}; an answer that ends without the end of its chunks is not whole.
 */
final class RowStream implements RowSink {
    /** As {@link RowSink#put} says, for what is read by {@link ControlClient#rows}. */
    static final String TYPE = "application/x-ndjson";

    private static final int PIECE = 32 * 1024;
    /** What may wait for a client in the agent's memory: some hundreds of full packets. */
    private static final WriteBufferWaterMark BACKLOG = new WriteBufferWaterMark(512 * 1024, 1024 * 1024);

    private final Channel channel;
    private final Duration patience;
    private final Semaphore changes = new Semaphore(0);
    private final ByteArrayOutputStream piece = new ByteArrayOutputStream();
    private long behindSince = Long.MIN_VALUE;

    /**
     * A stream whose response has begun.
     *
     * @param patience how long a client may be behind
     */
    RowStream(Channel channel, Duration patience) {
        this.channel = channel;
        this.patience = patience;
    }

    void begin() {
        channel.config().setWriteBufferWaterMark(BACKLOG);
        HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, TYPE)
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        var unused = channel.writeAndFlush(response);
    }

    /** The channel has become writable, or was closed. */
    void changed() {
        changes.release();
    }

    @Override
    public boolean put(Object row) {
        append(row);
        return channel.isWritable() || awaitRoom();
    }

    @Override
    public boolean offer(Object row) {
        if (!channel.isWritable()) {
            closeIfStuck();
            return false;
        }
        behindSince = Long.MIN_VALUE;
        append(row);
        return true;
    }

    private void append(Object row) {
        piece.writeBytes(Json.bytes(row));
        piece.write('\n');
        if (piece.size() >= PIECE) {
            flush();
        }
    }

    private boolean awaitRoom() {
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            while (channel.isActive() && !channel.isWritable()) {
                if (!changes.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    close();
                    return false;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return channel.isActive();
    }

    private void closeIfStuck() {
        long now = System.nanoTime();
        if (behindSince == Long.MIN_VALUE) {
            behindSince = now;
        } else if (now - behindSince > patience.toNanos()) {
            close();
        }
    }

    @Override
    public void flush() {
        if (piece.size() > 0) {
            var unused = channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(piece.toByteArray())));
            piece.reset();
        }
    }

    @Override
    public boolean isOpen() {
        return channel.isActive();
    }

    @Override
    public void end() {
        flush();
        channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).addListener(ChannelFutureListener.CLOSE);
        var unused = channel.eventLoop().schedule(this::close, patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void close() {
        var unused = channel.close();
    }

    @Override
    public void fail(String message) {
        append(Map.of("error", message));
        end();
    }
}
