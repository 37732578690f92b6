// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.agent.dataplane.Event;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BtfLayout;
import io.l4lb.xdp.BtfLayout.Struct;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class CaptureRecordTest {
    private static ByteBuffer record(int captured, int stage, int verdict) {
        ByteBuffer buffer =
                ByteBuffer.allocate(CaptureRecord.HEADER + CaptureRecord.BYTES).order(ByteOrder.nativeOrder());
        buffer.putLong(0, 1_000_000_007L).putLong(CaptureRecord.PACKET, -2);
        buffer.putInt(CaptureRecord.INTERFACE, 3).putInt(CaptureRecord.LENGTH, 9000);
        buffer.putInt(CaptureRecord.CAPTURED, captured).put(CaptureRecord.STAGE, (byte) stage);
        buffer.put(CaptureRecord.VERDICT, (byte) verdict).put(CaptureRecord.HEADER, (byte) 0x7f);
        return buffer;
    }

    @Test
    void isWhatTheProgramWrites() {
        try (BtfLayout balancer = BtfLayout.of(BpfProgram.BALANCER.object())) {
            Struct struct = balancer.struct("capture");
            assertEquals(0, struct.offset("time"));
            assertEquals(CaptureRecord.PACKET, struct.offset("packet"));
            assertEquals(CaptureRecord.INTERFACE, struct.offset("interface"));
            assertEquals(CaptureRecord.LENGTH, struct.offset("length"));
            assertEquals(CaptureRecord.CAPTURED, struct.offset("captured"));
            assertEquals(CaptureRecord.STAGE, struct.offset("stage"));
            assertEquals(CaptureRecord.VERDICT, struct.offset("verdict"));
            assertEquals(CaptureRecord.HEADER, struct.offset("bytes"));
            assertEquals(CaptureRecord.HEADER + CaptureRecord.BYTES, struct.size());
        }
        assertTrue(header().contains("enum capture_stage { CAPTURE_BEFORE, CAPTURE_AFTER, }"));
    }

    @Test
    void eventsAreInTheOrderOfTheirNumbers() {
        String names = CounterMaps.EVENTS.stream()
                .map(event -> "EVENT_" + event + ", ")
                .collect(Collectors.joining());
        assertTrue(header().contains("enum event { " + names + "EVENT_COUNT, }"), names);
        assertEquals(EnumSet.allOf(Event.class), EnumSet.copyOf(CounterMaps.EVENTS));
    }

    /** l4lb.h without comments and line ends. */
    private static String header() {
        try (InputStream in = BpfProgram.class.getResourceAsStream("l4lb.h")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .replaceAll("(?s)/\\*.*?\\*/", "")
                    .replaceAll("\\s+", " ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void isDecoded() {
        CapturedPacket packet = CaptureRecord.decode(record(1, 1, 3)).orElseThrow();
        assertEquals(1_000_000_007L, packet.time());
        assertEquals(-2, packet.packet());
        assertEquals(Stage.AFTER, packet.stage());
        assertEquals("forward-flow", packet.verdict());
        assertEquals(3, packet.interfaceIndex());
        assertEquals(9000, packet.frame().length());
        assertArrayEquals(new byte[] {0x7f}, packet.frame().bytes());
    }

    @Test
    void beforeThereIsNoVerdict() {
        CapturedPacket packet = CaptureRecord.decode(record(2048, 0, 0)).orElseThrow();
        assertEquals("", packet.verdict());
        assertEquals(Stage.BEFORE, packet.stage());
        assertEquals(2048, packet.frame().bytes().length);
    }

    @Test
    void whatCannotBeIsNone() {
        assertEquals(Optional.empty(), CaptureRecord.decode(ByteBuffer.allocate(31)));
        assertEquals(Optional.empty(), CaptureRecord.decode(record(2049, 0, 0)));
        assertEquals(Optional.empty(), CaptureRecord.decode(record(-1, 0, 0)));
        assertEquals(Optional.empty(), CaptureRecord.decode(record(1, 2, 0)));
        assertEquals("", CaptureRecord.decode(record(1, 1, 200)).orElseThrow().verdict());
    }
}
