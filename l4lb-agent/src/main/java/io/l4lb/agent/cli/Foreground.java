// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * What commands need that run until they are told to stop, or that write bytes.
 *
 * @param out standard output
 * @param interrupt takes Ctrl-C, SIGTERM and SIGHUP over from the JVM, and completes when the first of them comes
 */
public record Foreground(StandardOutput out, Supplier<CompletableFuture<Void>> interrupt) {
    /** Waits so long, or until it is told to stop; whether it was. */
    static boolean pause(CompletableFuture<Void> stop, Duration time) {
        try {
            stop.get(time.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
