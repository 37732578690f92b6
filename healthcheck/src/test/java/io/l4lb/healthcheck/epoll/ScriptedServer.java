// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A real server on a loopback address, one connection at a time, that does to each what its script says. */
final class ScriptedServer implements AutoCloseable {
    @FunctionalInterface
    interface Script {
        void serve(Socket connection) throws IOException;
    }

    private final ServerSocket listener;
    private final Thread thread;
    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final CountDownLatch closing = new CountDownLatch(1);

    ScriptedServer(String address, Script script) {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getByName(address));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread = new Thread(() -> acceptAll(script), "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Reads the request, answers with these bytes, ends the connection. */
    static ScriptedServer answering(String response) {
        return answering("127.0.0.1", response);
    }

    static ScriptedServer answering(String address, String response) {
        ScriptedServer[] self = new ScriptedServer[1];
        CountDownLatch made = new CountDownLatch(1);
        self[0] = new ScriptedServer(address, connection -> {
            awaitQuietly(made);
            self[0].readRequest(connection);
            send(connection, response);
        });
        made.countDown();
        return self[0];
    }

    /** Answers with these bytes, then holds the connection open until the other side ends it. */
    static ScriptedServer holdingAfter(String response) {
        return new ScriptedServer("127.0.0.1", connection -> {
            send(connection, response);
            drain(connection);
        });
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** The header lines of the next request, joined by line feeds. */
    String takeRequest() throws InterruptedException {
        String request = requests.poll(10, TimeUnit.SECONDS);
        return request == null ? "none" : request;
    }

    boolean isClosing() {
        return closing.getCount() == 0;
    }

    static void send(Socket connection, String bytes) throws IOException {
        connection.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        connection.getOutputStream().flush();
    }

    /** Returns when the other side has ended the connection. */
    static void drain(Socket connection) throws IOException {
        connection.getInputStream().transferTo(OutputStream.nullOutputStream());
    }

    void readRequest(Socket connection) throws IOException {
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
        StringBuilder request = new StringBuilder();
        for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
            request.append(line).append('\n');
        }
        requests.add(request.toString());
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        listener.close();
        try {
            thread.join(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void acceptAll(Script script) {
        while (!isClosing()) {
            try (Socket connection = listener.accept()) {
                script.serve(connection);
            } catch (IOException e) {
                // The probe reset the connection, or close() ended the listener: the loop's condition tells.
            }
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
