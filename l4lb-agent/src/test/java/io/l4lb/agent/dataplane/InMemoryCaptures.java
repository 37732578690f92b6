// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Copies that a test makes. */
public final class InMemoryCaptures implements Captures {
    private final BlockingQueue<CapturedPacket> copies = new LinkedBlockingQueue<>();
    private final AtomicLong lost = new AtomicLong();
    private volatile int sampled;
    private volatile boolean open;

    /** Copies a packet, if packets are copied. */
    public void copy(CapturedPacket packet) {
        if (sampled > 0) {
            copies.add(packet);
        }
    }

    /** Loses copies. */
    public void lose(long count) {
        lost.addAndGet(count);
    }

    /** One packet of so many is copied; 0: none. */
    public int sampled() {
        return sampled;
    }

    /** Whether somebody reads. */
    public boolean isOpen() {
        return open;
    }

    void sample(int every) {
        sampled = every;
    }

    InMemoryCaptures open() {
        copies.clear();
        open = true;
        return this;
    }

    @Override
    public void poll(Duration patience, Predicate<CapturedPacket> packets) {
        try {
            CapturedPacket next = copies.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
            while (next != null && packets.test(next)) {
                next = copies.poll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public long lost() {
        return lost.get();
    }

    @Override
    public void close() {
        open = false;
    }
}
