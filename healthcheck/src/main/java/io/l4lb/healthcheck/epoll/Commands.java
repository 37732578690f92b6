// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads on which commands are run: a bounded number, which end when there is nothing to do. */
final class Commands implements AutoCloseable {
    private static final int AT_ONCE = 16;
    private static final int WAITING = 10_000;

    private final ThreadPoolExecutor threads;

    Commands() {
        threads = new ThreadPoolExecutor(
                AT_ONCE, AT_ONCE, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING), task -> {
                    Thread thread = new Thread(task, "health-command");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /** @throws java.util.concurrent.RejectedExecutionException if too many are waiting */
    void execute(Runnable command) {
        threads.execute(command);
    }

    /** Kills what runs. */
    @Override
    public void close() {
        var unused = threads.shutdownNow();
    }
}
