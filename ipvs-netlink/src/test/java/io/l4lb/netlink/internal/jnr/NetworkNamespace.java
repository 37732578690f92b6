// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.internal.jnr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.netlink.Errno;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Runtime;

/** A network namespace of a test's own, deleted on close. */
final class NetworkNamespace implements AutoCloseable {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name = "l4nl-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();

    /** The calls that move a thread into a namespace. */
    public interface Mover {
        int open(String path, int flags);

        int setns(int descriptor, int type);

        int close(int descriptor);
    }

    /** Skips the test, or fails it where {@code l4lb.require} says netns, if the machine has none to give. */
    static NetworkNamespace create() {
        Requirement.check("netns", Files.isWritable(Path.of("/run")) && isRoot(), "network namespaces need root");
        NetworkNamespace namespace = new NetworkNamespace();
        run(List.of("ip", "netns", "add", namespace.name), "");
        namespace.ip("link set lo up");
        return namespace;
    }

    String name() {
        return name;
    }

    /** Runs {@code ip} inside; the arguments are split at blanks. */
    void ip(String arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "-n", name));
        command.addAll(List.of(arguments.split(" ")));
        run(command, "");
    }

    /** Runs many {@code ip} commands, one a line, in one go. */
    void batch(String commands) {
        run(List.of("ip", "-n", name, "-batch", "-"), commands);
    }

    /** Calls on a thread of its own inside the namespace; what it opens there stays there. */
    <T> T call(Callable<T> task) throws Exception {
        FutureTask<T> inside = new FutureTask<>(() -> {
            enter();
            return task.call();
        });
        Thread thread = new Thread(inside, "in-" + name);
        thread.start();
        return inside.get(60, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        run(List.of("ip", "netns", "delete", name), "");
    }

    private void enter() {
        Mover mover = LibraryLoader.create(Mover.class).load("c");
        int descriptor = mover.open("/run/netns/" + name, O_RDONLY_CLOEXEC);
        int moved = mover.setns(descriptor, CLONE_NEWNET);
        int errno = Runtime.getRuntime(mover).getLastError();
        mover.close(descriptor);
        if (moved != 0) {
            throw new IllegalStateException("setns " + name + ": " + Errno.nameOf(errno));
        }
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    private static void run(List<String> command, String input) {
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), () -> command + ": " + output);
        } catch (IOException failed) {
            throw new IllegalStateException(command.toString(), failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
