// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The golden frames themselves are right, in and out. */
class GoldenFramesTest {
    /** Not IP, wrong on purpose, or with an address that the checksum does not cover as written. */
    private static final Set<String> WRONG = Set.of(
            "PlainFrames.ARP", "PlainFrames.SYN4_THREE_TAGS", "EchoFrames.ECHO6_ROUTED", "QuicFrames.PADDED_SHORT");

    @Test
    void lengthsAndChecksumsAreRight() {
        Map<String, byte[]> frames = GoldenFrames.all();
        assertTrue(frames.keySet().containsAll(WRONG));
        frames.keySet().removeAll(WRONG);
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
