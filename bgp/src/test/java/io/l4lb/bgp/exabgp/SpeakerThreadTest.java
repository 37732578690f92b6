// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bgp.BgpSettings;
import io.l4lb.bgp.ExaBgpSettings;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Neighbor;
import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import io.l4lb.test.Await;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The thread "bgp" goes on, whatever is thrown in it; the test is the bridge. */
@Timeout(60)
class SpeakerThreadTest {
    private static final String UP =
            "{ \"type\": \"state\", \"neighbor\": { \"address\": { \"peer\": \"10.91.1.1\" }, \"state\": \"up\" } }\n";
    private static final String HELLO =
            "{\"type\": \"bridge\", \"protocol\": 1, \"epoch\": \"7-7\", \"commands\": 3, \"quiet\": 9000}\n";
    private static final Route ROUTE = Route.of(Prefix.parse("198.51.100.10/32"));

    @TempDir
    Path directory;

    private final AtomicReference<Throwable> thrown = new AtomicReference<>();

    private long nanoTime() {
        Throwable next = Thread.currentThread().getName().equals("bgp") ? thrown.getAndSet(null) : null;
        if (next instanceof Error error) {
            throw error;
        }
        if (next instanceof RuntimeException exception) {
            throw exception;
        }
        return System.nanoTime();
    }

    private BgpSettings settings() {
        return new BgpSettings(
                65010,
                (Inet4Address) IpLiteral.parse("192.0.2.1"),
                List.of(new Neighbor(IpLiteral.parse("10.91.1.1"), 65000, null)),
                BgpSettings.DEFAULT_HOLD_TIME,
                new ExaBgpSettings(directory.resolve("none"), directory, false, "nobody", List.of(), Duration.ZERO));
    }

    /** One connection of the speaker, which finds a session with the route in it. */
    private static void serve(SocketChannel connection) throws IOException {
        Scanner lines = new Scanner(Channels.newInputStream(connection), StandardCharsets.UTF_8);
        say(connection, UP + HELLO);
        assertEquals("bridge dead-man 0", lines.nextLine());
        assertEquals("show adj-rib out extensive", lines.nextLine());
        say(
                connection,
                "neighbor 10.91.1.1 local-ip 10.91.1.2 local-as 65010 ipv4 unicast 198.51.100.10/32 next-hop self\ndone\n");
    }

    private static void say(SocketChannel connection, String text) throws IOException {
        connection.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void startsOverAfterWhateverIsThrown() throws Exception {
        BgpSettings settings = settings();
        Files.createDirectories(settings.exabgp().socket().getParent());
        try (ServerSocketChannel bridge = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            bridge.bind(UnixDomainSocketAddress.of(settings.exabgp().socket()));
            try (ExaBgpSpeaker speaker = ExaBgpSpeaker.start(settings, () -> {}, Clock.systemUTC(), this::nanoTime)) {
                speaker.want(Set.of(ROUTE));
                try (SocketChannel connection = bridge.accept()) {
                    serve(connection);
                    assertTrue(speaker.awaitSettled(Await.PATIENCE));
                    fail(speaker, new IllegalStateException("no such thing"));
                }
                try (SocketChannel connection = bridge.accept()) {
                    serve(connection);
                    assertTrue(speaker.awaitSettled(Await.PATIENCE));
                    assertEquals(
                            NeighborStatus.State.UP,
                            speaker.status().neighbors().get(0).state());
                    assertTrue(speaker.status().announced(ROUTE.prefix()));
                    fail(speaker, new OutOfMemoryError("in a test"));
                }
                try (SocketChannel connection = bridge.accept()) {
                    serve(connection);
                    assertTrue(speaker.awaitSettled(Await.PATIENCE));
                }
            }
        }
    }

    private void fail(ExaBgpSpeaker speaker, Throwable failure) {
        thrown.set(failure);
        speaker.want(Set.of(ROUTE)); // wakes it
        Await.await("that it is said", () -> String.valueOf(
                        speaker.status().process().problem())
                .equals("the route speaker failed and starts over: " + failure));
    }

    @Test
    void survivesAListenerThatThrows() throws Exception {
        BgpSettings settings = settings();
        Files.createDirectories(settings.exabgp().socket().getParent());
        try (ServerSocketChannel bridge = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            bridge.bind(UnixDomainSocketAddress.of(settings.exabgp().socket()));
            Runnable broken = () -> {
                throw new IllegalStateException("a listener's");
            };
            try (ExaBgpSpeaker speaker = ExaBgpSpeaker.start(settings, broken, Clock.systemUTC());
                    SocketChannel connection = bridge.accept()) {
                speaker.want(Set.of(ROUTE));
                serve(connection);
                assertTrue(speaker.awaitSettled(Await.PATIENCE));
            }
        }
    }
}
