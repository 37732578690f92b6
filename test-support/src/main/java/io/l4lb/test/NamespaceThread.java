// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One thread that lives in a network namespace, for objects that want all calls from the same thread. */
public final class NamespaceThread implements AutoCloseable {
    private final ExecutorService executor;

    public NamespaceThread(String namespace) {
        executor = Executors.newSingleThreadExecutor(code -> new Thread(
                () -> {
                    ThreadContext.enter(namespace);
                    code.run();
                },
                "in-" + namespace));
    }

    /** Runs it there, and waits for its end; what it throws is thrown. */
    public <T> T call(Callable<T> code) throws Exception {
        try {
            return executor.submit(code).get();
        } catch (ExecutionException e) {
            throw ThreadContext.unwrapped(e);
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}
