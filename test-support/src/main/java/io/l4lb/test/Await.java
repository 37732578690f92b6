// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting, within a generous bound, for what nothing wakes the test for: a process, the kernel, another program. */
public final class Await {
    /** Far longer than anything takes on a busy machine. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private Await() {}

    /**
     * Returns once the condition holds.
     *
     * @param what said if it never does
     * @throws AssertionError if it does not hold within {@link #PATIENCE}
     */
    public static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new AssertionError("waited in vain: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
