// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** From a port of its own; whoever answers tells his name. */
sealed interface Flow extends AutoCloseable {
    /** Generous, since it may be a slow machine. */
    int PATIENCE_MILLIS = 20_000;

    /** Who answers now. */
    String ask(int bytes) throws IOException;

    @Override
    void close() throws IOException;

    /** One connection. */
    final class Stream implements Flow {
        private final Socket socket = new Socket();
        private final BufferedReader answers;

        Stream(InetAddress vip, int port) throws IOException {
            socket.connect(new InetSocketAddress(vip, port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        /** One byte: each is answered. */
        @Override
        public String ask(int bytes) throws IOException {
            socket.getOutputStream().write(0);
            return String.valueOf(answers.readLine());
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /** Datagrams from one port, each sent again as long as nobody answers. */
    final class Datagrams implements Flow {
        private static final int TRIES = 4;

        private final DatagramSocket socket = new DatagramSocket();

        Datagrams(InetAddress vip, int port) throws IOException {
            socket.connect(new InetSocketAddress(vip, port));
            socket.setSoTimeout(PATIENCE_MILLIS / TRIES);
        }

        @Override
        public String ask(int bytes) throws IOException {
            DatagramPacket answer = new DatagramPacket(new byte[100], 100);
            int lost = 0;
            while (lost < TRIES) {
                socket.send(new DatagramPacket(new byte[bytes], bytes));
                try {
                    socket.receive(answer);
                    return new String(answer.getData(), 0, answer.getLength(), StandardCharsets.US_ASCII).trim();
                } catch (SocketTimeoutException e) {
                    lost++;
                }
            }
            return "nobody";
        }

        @Override
        public void close() {
            socket.close();
        }
    }
}
