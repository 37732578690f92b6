// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BtfLayout;
import io.l4lb.xdp.BtfLayout.Struct;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
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
