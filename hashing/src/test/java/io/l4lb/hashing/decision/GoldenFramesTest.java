// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The golden frames themselves are right, in and out. */
class GoldenFramesTest {
    private static final Set<String> NOT_IP = Set.of("PlainFrames.ARP", "PlainFrames.SYN4_THREE_TAGS");

    @Test
    void lengthsAndChecksumsAreRight() {
        Map<String, byte[]> frames = GoldenFrames.all();
        assertTrue(frames.keySet().containsAll(NOT_IP));
        frames.keySet().removeAll(NOT_IP);
        assertTrue(frames.size() > 80, "" + frames.size());
        frames.forEach((name, frame) -> {
            try {
                PacketChecks.assertRight(frame);
            } catch (AssertionError e) {
                throw new AssertionError(name, e);
            }
        });
    }

    @Test
    void aWrongChecksumIsSeen() {
        for (int at : new int[] {14 + 1, 14 + 20 + 10, 14 + 20 + 20 + 13}) {
            byte[] frame = Director.bytes(PlainFrames.SYN4_OUT);
            frame[at] ^= 1;
            assertThrows(AssertionError.class, () -> PacketChecks.assertRight(frame));
        }
    }
}
