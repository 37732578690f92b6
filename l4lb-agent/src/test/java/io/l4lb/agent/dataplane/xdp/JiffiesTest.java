// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class JiffiesTest {
    private static final long SECOND = 1_000_000_000L;

    /** What the kernel's jiffies are then, with some of them lost while it started. */
    private static long jiffiesAt(long seconds, int perSecond, int lost) {
        return (1L << 32) + (seconds - 300) * perSecond - lost;
    }

    @ParameterizedTest
    @CsvSource({"100, 10000000", "250, 4000000", "300, 3333333", "1000, 1000000"})
    void oneLookTellsTheLength(int perSecond, int length) {
        for (long seconds : new long[] {1, 60, 269, 331, 3600, 100 * 24 * 3600L}) {
            long now = jiffiesAt(seconds, perSecond, perSecond / 4);
            Jiffies jiffies = Jiffies.of(now, seconds * SECOND);
            assertEquals(length, jiffies.length());
            // The balancer's arithmetic: within a second of the clock's time.
            long told = (now - jiffies.atZero()) * jiffies.length();
            assertTrue(Math.abs(told - seconds * SECOND) < SECOND, () -> seconds + " s are told as " + told + " ns");
        }
    }

    @Test
    void aroundTheMeetingOrOfAnotherLengthNothingIsKnown() {
        assertEquals(Jiffies.UNKNOWN, Jiffies.of(jiffiesAt(300, 250, 3), 300 * SECOND));
        assertEquals(Jiffies.UNKNOWN, Jiffies.of(jiffiesAt(320, 1000, 3), 320 * SECOND));
        assertEquals(Jiffies.UNKNOWN, Jiffies.of(jiffiesAt(3600, 512, 0), 3600 * SECOND));
        assertEquals(Jiffies.UNKNOWN, Jiffies.of(12345, 3600 * SECOND));
    }

    /** This kernel's, against the clock: they are one clock. */
    @Test
    @Tag("kernel")
    void thisKernelCountsWithTheClock() {
        Jiffies first = Jiffies.read();
        Jiffies second = Jiffies.read();
        assertEquals(first.length(), second.length());
        long difference = Math.abs(first.atZero() - second.atZero()) * first.length();
        assertTrue(difference < SECOND, () -> "jiffies at zero differ by " + difference + " ns");
    }
}
