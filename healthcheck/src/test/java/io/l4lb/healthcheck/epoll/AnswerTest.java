// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.check.Match;
import org.junit.jupiter.api.Test;

final class AnswerTest {
    private static final Match END = Match.containing("end");

    @Test
    void whatIsPastTheLimitIsDropped() {
        Answer answer = new Answer(END, 10);
        answer.add("12345678");
        answer.add("end");
        assertTrue(answer.isFull());
        assertEquals(10, answer.length());
        assertFalse(answer.matches(true));
        answer.add("more");
        assertEquals("12345678en", answer.upTo(10));
    }

    /** A long answer that drips in is looked at now and then, and for a last time at its end. */
    @Test
    void aLongAnswerIsNotLookedAtForEachOctet() {
        Answer answer = new Answer(END, 64 * 1024);
        answer.add("x".repeat(5000));
        assertFalse(answer.matches(false));
        answer.add("end");
        assertFalse(answer.matches(false));
        assertTrue(answer.matches(true));
        answer.add("x".repeat(1024));
        assertTrue(answer.matches(false));
    }

    @Test
    void aLineEndsAtTheFirstOfItsEnds() {
        Answer answer = new Answer(null, 100);
        answer.add("75%");
        assertEquals(-1, answer.lineEnd());
        answer.add("\r\n");
        assertEquals(3, answer.lineEnd());
    }
}
