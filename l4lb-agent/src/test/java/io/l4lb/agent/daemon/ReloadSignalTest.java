// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ReloadSignalTest {
    private final ReloadSignal signal = new ReloadSignal();
    private final AtomicInteger reloads = new AtomicInteger();

    @Test
    void isPassedOn() {
        signal.asksFor(reloads::incrementAndGet);
        assertEquals(0, reloads.get());
        signal.raise();
        signal.raise();
        assertEquals(2, reloads.get());
    }

    @Test
    void beforeThereIsAnythingToReloadItIsRemembered() {
        signal.raise();
        signal.raise();
        signal.asksFor(reloads::incrementAndGet);
        assertEquals(1, reloads.get());
        signal.raise();
        assertEquals(2, reloads.get());
    }
}
