// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.Captures;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.RingBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** The ring buffer {@code captures}. */
final class CaptureRing implements Captures {
    private final RingBuffer ring;
    private final LongSupplier lost;

    /**
     * The ring buffer without what is in it.
     *
     * @param lost how many copies found no room; asked on the thread that polls
     */
    CaptureRing(BpfMap captures, LongSupplier lost) {
        this.ring = RingBuffer.of(captures);
        this.lost = lost;
        ring.poll(Duration.ZERO, old -> true);
    }

    @Override
    public void poll(Duration patience, Predicate<CapturedPacket> packets) {
        try {
            int unused = ring.poll(patience, bytes -> {
                Optional<CapturedPacket> packet = CaptureRecord.decode(bytes);
                return packet.isEmpty() || packets.test(packet.get());
            });
        } catch (BpfException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    @Override
    public long lost() {
        return lost.getAsLong();
    }

    @Override
    public void close() {
        ring.close();
    }
}
