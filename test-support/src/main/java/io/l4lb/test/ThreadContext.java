// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import io.l4lb.test.internal.jnr.LibC;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Runs code on a fresh thread that has first changed what Linux keeps per thread: the network namespace, or the
 * capabilities. The thread ends with the code, so nothing has to be changed back.
 */
public final class ThreadContext {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x40000000;
    private static final int CAPABILITY_VERSION_3 = 0x20080522;

    private ThreadContext() {}

    /** Runs it in a network namespace that {@code ip netns} made; sockets made there stay there. */
    public static <T> T inNamespace(String namespace, Callable<T> code) throws Exception {
        return onFreshThread("netns-" + namespace, () -> {
            enter(namespace);
            return code.call();
        });
    }

    /** Runs it without any capability, as an ordinary user would; in the calling thread's network namespace. */
    public static <T> T withoutCapabilities(Callable<T> code) throws Exception {
        return onFreshThread("unprivileged", () -> {
            byte[] header = new byte[8];
            ByteBuffer.wrap(header).order(ByteOrder.nativeOrder()).putInt(CAPABILITY_VERSION_3);
            if (LibC.get().capset(header, new byte[24]) != 0) {
                throw new IllegalStateException("capset failed: error " + LibC.errno());
            }
            return code.call();
        });
    }

    /** Moves the calling thread, and the threads that it starts, into a network namespace for good. */
    static void enter(String namespace) {
        int descriptor = LibC.get().open("/run/netns/" + namespace, O_RDONLY_CLOEXEC);
        if (descriptor < 0) {
            throw new IllegalStateException("no network namespace " + namespace + ": error " + LibC.errno());
        }
        int result = LibC.get().setns(descriptor, CLONE_NEWNET);
        int errno = LibC.errno();
        LibC.get().close(descriptor);
        if (result != 0) {
            throw new IllegalStateException("cannot enter network namespace " + namespace + ": error " + errno);
        }
    }

    private static <T> T onFreshThread(String name, Callable<T> code) throws Exception {
        FutureTask<T> task = new FutureTask<>(code);
        Thread thread = new Thread(task, name);
        thread.start();
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw unwrapped(e);
        }
    }

    /** What the code threw: an exception is returned, an error thrown. */
    static Exception unwrapped(ExecutionException e) {
        if (e.getCause() instanceof Error error) {
            throw error;
        }
        return e.getCause() instanceof Exception cause ? cause : e;
    }
}
