// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import static io.l4lb.hashing.decision.Director.R4;
import static io.l4lb.hashing.decision.Director.offering;
import static io.l4lb.hashing.decision.Director.to;
import static io.l4lb.hashing.decision.Verdict.FORWARD_TABLE;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Step 7: the maximum segment size, clamped to 1400. */
class MssClampTest {
    private static void assertLeaves(String in, String out) {
        offering(to(R4)).with(new Switches(true, true, 1400)).assertLeaves(FORWARD_TABLE, in, out);
    }

    @Test
    void theOptionIsLoweredWhereverItStands() {
        assertLeaves(MssFrames.EVEN, MssFrames.EVEN_OUT);
        assertLeaves(MssFrames.ODD, MssFrames.ODD_OUT);
    }

    @Test
    void allElseIsLeftAlone() {
        assertLeaves(MssFrames.SMALL, MssFrames.SMALL_OUT);
        assertLeaves(MssFrames.NONE, MssFrames.NONE_OUT);
        assertLeaves(MssFrames.BROKEN, MssFrames.BROKEN_OUT);
        assertLeaves(MssFrames.ZERO_LENGTH, MssFrames.ZERO_LENGTH_OUT);
        assertLeaves(MssFrames.BEHIND_END, MssFrames.BEHIND_END_OUT);
        assertLeaves(MssFrames.LAST_BYTE, MssFrames.LAST_BYTE_OUT);
        assertLeaves(MssFrames.SYN_ACK, MssFrames.SYN_ACK_OUT);
        assertLeaves(QuicFrames.UNKNOWN_ID, unclamped(QuicFrames.UNKNOWN_ID));
    }

    private static String unclamped(String in) {
        return HexFormat.of().formatHex(offering(to(R4)).decide(in).frame());
    }
}
