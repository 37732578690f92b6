// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.Machine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records that a program puts into a ring buffer: the balancer's copies of packets (layouts: l4lb.h). */
@Tag("kernel")
class RingBufferTest {
    private static final int SETTINGS_CAPTURE = 52;
    private static final int CAPTURE_LENGTH = 20;
    private static final int CAPTURE_SIZE = 32 + 2048;

    @AutoClose
    private final BpfObject object =
            BpfObject.open("balancer", BpfProgram.BALANCER.object()).load();

    @AutoClose
    private final ProgramHandle program = object.program("balancer");

    @AutoClose
    private final BpfMap captures = object.map("captures");

    @BeforeAll
    static void need() {
        Machine.needBpf();
    }

    @BeforeEach
    void copyEveryPacket() {
        try (BpfMap settings = object.map("settings")) {
            ByteBuffer value = Balancer.buffer(settings.valueSize()).putInt(SETTINGS_CAPTURE, 1);
            settings.update(Balancer.word(0), value, UpdateMode.ANY);
        }
    }

    private void run(int length) {
        assertEquals(Balancer.XDP_PASS, program.testRun(new byte[length]).returnValue());
    }

    private static List<Integer> lengths(RingBuffer ring, int enough) {
        List<Integer> lengths = new ArrayList<>();
        int taken = ring.poll(Duration.ofMillis(50), record -> {
            assertEquals(CAPTURE_SIZE, record.remaining());
            lengths.add(record.getInt(CAPTURE_LENGTH));
            return lengths.size() < enough;
        });
        assertEquals(lengths.size(), taken);
        return lengths;
    }

    @Test
    void recordsComeInTheirOrderAndOnce() {
        try (RingBuffer ring = RingBuffer.of(captures)) {
            assertEquals(List.of(), lengths(ring, 100));
            run(60);
            run(70);
            assertEquals(List.of(60, 60, 70, 70), lengths(ring, 100));
            assertEquals(List.of(), lengths(ring, 100));
        }
    }

    @Test
    void aReaderTakesAsManyAsItWants() {
        try (RingBuffer ring = RingBuffer.of(captures)) {
            run(60);
            run(70);
            assertEquals(List.of(60, 60, 70), lengths(ring, 3));
            assertEquals(List.of(70), lengths(ring, 3));
        }
    }

    @Test
    void whatTheReaderThrowsComesThroughNativeCode() {
        IllegalStateException problem = new IllegalStateException("no");
        try (RingBuffer ring = RingBuffer.of(captures)) {
            run(60);
            assertEquals(
                    problem,
                    assertThrows(
                            IllegalStateException.class,
                            () -> ring.poll(Duration.ZERO, record -> {
                                throw problem;
                            })));
            assertEquals(List.of(60), lengths(ring, 100));
        }
    }

    @Test
    void onlyRingBuffersAreRead() {
        try (BpfMap settings = object.map("settings")) {
            assertEquals(
                    "EINVAL",
                    assertThrows(BpfException.class, () -> RingBuffer.of(settings))
                            .errno());
        }
    }

    @Test
    void noDescriptorLeaks() throws IOException {
        long before = Descriptors.ofBpf();
        RingBuffer ring = RingBuffer.of(captures);
        ring.close();
        ring.close();
        assertEquals(before, Descriptors.ofBpf());
        assertThrows(IllegalStateException.class, () -> ring.poll(Duration.ZERO, record -> true));
    }
}
