// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.DataplaneException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waiting for the reconcile thread, on threads that may. */
final class LoopAnswers {
    /** A pass may take a while; a loop that has ended answers never. */
    private static final long PATIENCE_SECONDS = 20;

    private LoopAnswers() {}

    /**
     * The answer.
     *
     * @throws DataplaneException there is none
     */
    static <T> T await(CompletableFuture<T> answer) {
        try {
            return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DataplaneException refused) {
                throw refused;
            }
            throw new IllegalStateException(e);
        } catch (TimeoutException e) {
            throw new DataplaneException(
                    "the agent's reconcile thread has not answered within " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DataplaneException("the agent is stopping", e);
        }
    }

    /** What a client is told of a failure. */
    static String message(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause.getMessage() == null ? "a mistake in l4lb, " + cause : cause.getMessage();
    }
}
