// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Await;
import io.l4lb.test.Machine;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The bridge by itself; the test is both ExaBGP, which started it, and the agents. */
@Timeout(60)
class BridgeTest {
    private static final String UP =
            "{ \"type\": \"state\", \"neighbor\": { \"address\": { \"peer\": \"10.91.1.1\" }, \"state\": \"up\" } }";
    private static final String CONNECTED = UP.replace("\"up\"", "\"connected\"");

    private static final String SUMMARY = "show neighbor summary";
    private static final String HEADINGS = "Peer            AS        up/down state       |     #sent     #recvd";

    @TempDir
    Path directory;

    private Process bridge;
    private OutputStream events;
    private BufferedReader commands;

    /** One connection. */
    private record Agent(SocketChannel channel, BufferedReader lines) {
        void send(String line) throws IOException {
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII)));
        }
    }

    @BeforeEach
    void start() throws IOException {
        Machine.need("python3", Files.isExecutable(Path.of("/usr/bin/python3")), "python3 is not installed");
        Path script = directory.resolve("bridge.py");
        try (InputStream resource = ExaBgpFiles.class.getResourceAsStream("bridge.py")) {
            Files.copy(Objects.requireNonNull(resource), script);
        }
        // A shell of its own is a young ExaBGP, and like ExaBGP it starts a bridge that died again.
        String respawn = "while ! /usr/bin/python3 -I \"$0\" \"$1\"; do :; done";
        bridge = new ProcessBuilder("sh", "-c", respawn, script.toString(), socket().toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        events = bridge.getOutputStream();
        commands = bridge.inputReader(StandardCharsets.UTF_8);
        Await.await("its socket", this::listens);
    }

    @AfterEach
    void endsWithExaBgp() throws Exception {
        if (bridge != null) {
            events.close();
            assertTrue(bridge.waitFor(30, TimeUnit.SECONDS));
            assertEquals(0, bridge.exitValue());
        }
    }

    private Path socket() {
        return directory.resolve("bridge.sock");
    }

    private boolean listens() {
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return probe.connect(UnixDomainSocketAddress.of(socket()));
        } catch (IOException e) {
            return false;
        }
    }

    private Agent connect() throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket()));
        return new Agent(
                channel,
                new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8)));
    }

    private void say(String line) throws IOException {
        events.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        events.flush();
    }

    @Test
    void aNewAgentSeesTheStatesAndOnlyItsOwnAcknowledgements() throws IOException {
        Agent first = connect();
        assertTrue(first.lines().readLine().contains("\"commands\": "));
        say(UP);
        say(CONNECTED);
        assertEquals(UP, first.lines().readLine());
        assertEquals(CONNECTED, first.lines().readLine());
        first.send("first");
        assertEquals("first", commands.readLine());

        Agent second = connect();
        assertNull(first.lines().readLine(), "the older one is replaced");
        second.send("second"); // waits in the socket
        say("done"); // the first one's
        assertEquals(UP, second.lines().readLine());
        String hello = second.lines().readLine();
        assertTrue(hello.startsWith("{\"type\": \"bridge\", \"protocol\": 1, "), hello);
        assertEquals("second", commands.readLine());
        say("error");
        assertEquals("error", second.lines().readLine());
        first.channel().close();
        second.channel().close();
    }

    @Test
    void aLostAcknowledgementIsNotAwaitedForEver() throws IOException {
        Agent first = connect();
        first.lines().readLine();
        first.send("unanswered");
        assertEquals("unanswered", commands.readLine());
        Agent second = connect();
        assertEquals(SUMMARY, commands.readLine());
        assertFalse(second.lines().ready(), "no hello from one whose ExaBGP says nothing");
        say(HEADINGS);
        say("done");
        assertTrue(second.lines().readLine().contains("\"type\": \"bridge\""));
        second.send("command");
        assertEquals("command", commands.readLine());
        say("done");
        assertEquals("done", second.lines().readLine());
        first.channel().close();
        second.channel().close();
    }

    @Test
    void oneThatWasStartedAgainAsksWhatItMissed() throws IOException {
        Agent first = connect();
        first.lines().readLine();
        say(UP);
        assertEquals(UP, first.lines().readLine());
        first.send("unanswered");
        assertEquals("unanswered", commands.readLine());
        bridge.toHandle().descendants().forEach(ProcessHandle::destroyForcibly);
        assertEquals(SUMMARY, commands.readLine());
        Agent second = connect();
        say("done"); // the predecessor's
        say(HEADINGS);
        say("10.91.1.1       65000   1 day, 0:00:12 established           1          0");
        say("done");
        assertEquals(
                "{\"type\": \"state\", \"neighbor\": {\"address\": {\"peer\": \"10.91.1.1\"}, \"state\": \"up\"}}",
                second.lines().readLine());
        assertTrue(second.lines().readLine().contains("\"commands\": 1, \"quiet\": "));
        first.channel().close();
        second.channel().close();
    }

    @Test
    void aHeartbeatIsNoCommand() throws IOException {
        Agent first = connect();
        first.lines().readLine();
        first.send("version");
        assertEquals("version", commands.readLine());
        say("exabgp 4.2.21");
        say("done");
        assertEquals("exabgp 4.2.21", first.lines().readLine());
        assertEquals("done", first.lines().readLine());
        first.channel().close();
        Agent second = connect();
        assertTrue(second.lines().readLine().contains("\"commands\": 0, \"quiet\": null"));
        second.channel().close();
    }

    @Test
    void withADeadManTheRoutesGoWhenNoAgentComesBack() throws IOException {
        Agent agent = connect();
        agent.lines().readLine();
        agent.send("bridge dead-man 1");
        agent.send("a command");
        assertEquals("a command", commands.readLine(), "what is for the bridge is not passed on");
        agent.channel().close();
        assertEquals("clear adj-rib out", commands.readLine());
    }
}
