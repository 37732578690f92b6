// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.RowSink;
import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.agent.dataplane.Captures;
import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** One client's capture: from the ring buffer to the client, who loses packets when behind. For one thread. */
final class CaptureSession {
    private static final Duration PATIENCE = Duration.ofMillis(100);
    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final CaptureRequest request;
    private final CaptureFilter filter;
    private final Captures captures;
    private final RowSink sink;
    /** From the clock of the packets to microseconds since 1970. */
    private final long epochNanos;

    private final Map<Integer, String> interfaces = new HashMap<>();
    private final long lostBefore;
    private long copies;
    private long packets;
    private long dropped;
    private long told;
    private long toldAt = System.nanoTime();

    CaptureSession(CaptureRequest request, CaptureFilter filter, Captures captures, RowSink sink, Clock clock) {
        this.request = request;
        this.filter = filter;
        this.captures = captures;
        this.sink = sink;
        Instant now = clock.instant();
        this.epochNanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - System.nanoTime();
        this.lostBefore = captures.lost();
    }

    /** Goes on until it has been long enough, the client is gone, or it is told to stop. */
    void run(BooleanSupplier stopping) {
        var unused = sink.put(state(false)); // it has begun
        sink.flush();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(request.seconds());
        while (!enough() && sink.isOpen() && !stopping.getAsBoolean()) {
            if (request.seconds() > 0 && System.nanoTime() - end >= 0) {
                break;
            }
            captures.poll(PATIENCE, packet -> {
                take(packet);
                return !enough() && (request.seconds() == 0 || System.nanoTime() - end < 0) && sink.isOpen();
            });
            tellLosses();
            sink.flush();
        }
        unused = sink.put(state(true));
        sink.end();
    }

    private boolean enough() {
        return request.count() > 0 && packets >= request.count();
    }

    private long lost() {
        return captures.lost() - lostBefore + dropped;
    }

    private CaptureEndView state(boolean last) {
        return new CaptureEndView(new CaptureEndView.End(copies, lost(), last));
    }

    private void tellLosses() {
        long now = System.nanoTime();
        if (now - toldAt < PROGRESS_NANOS) {
            return;
        }
        toldAt = now;
        long lost = lost();
        if (lost != told && sink.offer(state(false))) {
            told = lost;
        }
    }

    private void take(CapturedPacket packet) {
        filter.take(packet).forEach(this::send);
    }

    private void send(CapturedPacket packet) {
        String stage = packet.stage().name().toLowerCase(Locale.ROOT);
        if (!request.wants(stage)) {
            return;
        }
        if (sink.offer(view(packet, stage))) {
            copies++;
        } else {
            dropped++;
        }
        if (packet.stage() == Stage.AFTER || request.stage().equals("before")) {
            packets++;
        }
    }

    private CapturedView view(CapturedPacket packet, String stage) {
        return new CapturedView(
                (packet.time() + epochNanos) / 1000,
                "%016x".formatted(packet.packet()),
                stage,
                packet.verdict(),
                StatsReport.reason(packet.verdict()),
                interfaces.computeIfAbsent(packet.interfaceIndex(), CaptureSession::interfaceName),
                packet.frame().length(),
                CapturedView.text(packet.frame().bytes()));
    }

    private static String interfaceName(int index) {
        try {
            NetworkInterface found = index > 0 ? NetworkInterface.getByIndex(index) : null;
            return found == null ? Integer.toString(index) : found.getName();
        } catch (SocketException e) {
            return Integer.toString(index);
        }
    }
}
