// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.test.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that serves until it is closed. */
final class ServerProcess implements AutoCloseable {
    private final Process process;
    private final InetSocketAddress address;

    /** @param address where it listens once it is up */
    ServerProcess(List<String> command, InetSocketAddress address) {
        this.address = address;
        try {
            process = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Await.await(command + " listens", () -> !process.isAlive() || listens(address));
        if (!process.isAlive()) {
            throw new IllegalStateException(command + " ended with " + process.exitValue());
        }
    }

    InetSocketAddress address() {
        return address;
    }

    private static boolean listens(InetSocketAddress address) {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
