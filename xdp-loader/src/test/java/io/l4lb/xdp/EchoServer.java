// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.test.ThreadContext;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;

/** In a namespace: reads until the client closes its side, then sends all of it back. */
final class EchoServer implements AutoCloseable {
    private final ServerSocket listener;
    private final Thread thread;

    EchoServer(String namespace, int port) throws Exception {
        listener = ThreadContext.inNamespace(namespace, () -> new ServerSocket(port));
        thread = new Thread(this::serve, "echo-" + namespace);
        thread.start();
    }

    private void serve() {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(5000);
                socket.getOutputStream().write(socket.getInputStream().readAllBytes());
            } catch (IOException e) {
                /* The listener was closed, or this client went away. */
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
