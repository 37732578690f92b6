// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AwaitTest {
    @Test
    void returnsOnceItHolds() {
        AtomicInteger looks = new AtomicInteger();
        Await.await("the third look", () -> looks.incrementAndGet() == 3);
        assertEquals(3, looks.get());
    }
}
