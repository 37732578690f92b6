// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.test.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Answers of many rows: whole, cut off, to clients that are slow, gone or have enough. */
@Timeout(60)
class RowsOverSocketTest {
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Map<String, Integer> REQUEST = Map.of();
    private static final String PADDING = "x".repeat(1000);

    private final FakeControlApi api = new FakeControlApi();
    private Path socket = Path.of("");
    private ControlServer server;
    private ControlClient client;

    private record Row(int number, String padding) {}

    @BeforeEach
    void start(@TempDir Path directory) {
        socket = directory.resolve("control.sock");
        server = ControlServer.start(socket, api, new Limits(4, 1024, LONG, LONG));
        client = new ControlClient(socket);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    private static void onThread(Runnable work) {
        Thread thread = new Thread(work, "rows");
        thread.setDaemon(true);
        thread.start();
    }

    private List<Integer> read(CompletableFuture<Void> stop, int enough) throws IOException {
        List<Integer> numbers = new ArrayList<>();
        client.rows("/v1/flows", REQUEST, stop, row -> {
            numbers.add(row.path("number").asInt());
            return numbers.size() < enough;
        });
        return numbers;
    }

    @Test
    void allRowsArriveInTheirOrder() throws IOException {
        api.sends(sink -> onThread(() -> {
            for (int i = 0; i < 20_000; i++) {
                assertTrue(sink.put(new Row(i, PADDING)));
            }
            sink.end();
        }));
        List<Integer> numbers = read(new CompletableFuture<>(), Integer.MAX_VALUE);
        assertEquals(20_000, numbers.size());
        for (int i = 0; i < numbers.size(); i++) {
            assertEquals(i, numbers.get(i));
        }
    }

    @Test
    void noRowsAreAnAnswerToo() throws IOException {
        assertEquals(List.of(), read(new CompletableFuture<>(), 1));
    }

    @Test
    void aRowThatIsFlushedArrivesWhileOthersAreMade() throws IOException {
        CompletableFuture<Void> arrived = new CompletableFuture<>();
        api.sends(sink -> onThread(() -> {
            sink.put(new Row(1, ""));
            sink.flush();
            arrived.orTimeout(20, TimeUnit.SECONDS).join();
            sink.put(new Row(2, ""));
            sink.end();
        }));
        List<Integer> numbers = new ArrayList<>();
        client.rows("/v1/flows", REQUEST, new CompletableFuture<>(), row -> {
            numbers.add(row.path("number").asInt());
            arrived.complete(null);
            return true;
        });
        assertEquals(List.of(1, 2), numbers);
    }

    @Test
    void aReaderMayHaveEnough() throws IOException {
        CompletableFuture<RowSink> sink = new CompletableFuture<>();
        api.sends(started -> {
            sink.complete(started);
            onThread(() -> {
                int number = 0;
                while (started.put(new Row(number++, PADDING))) {
                    Thread.onSpinWait();
                }
            });
        });
        assertEquals(List.of(0, 1, 2), read(new CompletableFuture<>(), 3));
        Await.await(
                "the server sees that the client is gone", () -> !sink.join().isOpen());
    }

    @Test
    void aReaderMayBeStopped() throws IOException {
        CompletableFuture<Void> stop = new CompletableFuture<>();
        CompletableFuture<RowSink> sink = new CompletableFuture<>();
        api.sends(started -> {
            sink.complete(started);
            started.put(new Row(7, ""));
            started.flush();
        });
        List<Integer> numbers = new ArrayList<>();
        client.rows("/v1/capture", REQUEST, stop, row -> {
            numbers.add(row.path("number").asInt());
            stop.complete(null);
            return true;
        });
        assertEquals(List.of(7), numbers);
        Await.await(
                "the server sees that the client is gone", () -> !sink.join().isOpen());
    }

    @Test
    void aFailureBehindTheFirstRowsIsTold() {
        api.sends(sink -> onThread(() -> {
            sink.put(new Row(1, ""));
            sink.fail("read map flows: ENOMEM");
        }));
        ControlException failure =
                assertThrows(ControlException.class, () -> read(new CompletableFuture<>(), Integer.MAX_VALUE));
        assertEquals("read map flows: ENOMEM", failure.getMessage());
        assertEquals(ControlException.Kind.REFUSED, failure.kind());
    }

    @Test
    void anAnswerThatBreaksOffIsNotTakenForWhole() {
        api.sends(sink -> {
            sink.put(new Row(1, ""));
            sink.flush();
            onThread(server::close);
        });
        ControlException failure =
                assertThrows(ControlException.class, () -> read(new CompletableFuture<>(), Integer.MAX_VALUE));
        assertEquals(ControlException.Kind.UNREACHABLE, failure.kind());
    }

    @Test
    void whatTheReaderThrowsComesBack() {
        api.sends(sink -> {
            sink.put(new Row(1, ""));
            sink.end();
        });
        IOException full = new IOException("No space left on device");
        IOException thrown = assertThrows(
                IOException.class,
                () -> client.rows("/v1/flows", REQUEST, new CompletableFuture<>(), row -> {
                    throw full;
                }));
        assertEquals(full, thrown);
    }

    @Test
    void aRequestThatIsNoneIsRefused() {
        ControlException failure = assertThrows(
                ControlException.class,
                () -> client.rows("/v1/capture", Map.of("every", 0), new CompletableFuture<>(), row -> true));
        assertEquals("every: 0 is not within 1 to 2147483647", failure.getMessage());
    }

    /** It reads nothing at all, of a server that has little patience. */
    private RawClient stuck() {
        server.close();
        server = ControlServer.start(socket, api, new Limits(4, 1024, SHORT, LONG));
        RawClient raw = new RawClient(socket);
        raw.send("POST /v1/flows HTTP/1.1\r\nHost: l4lb\r\nContent-Length: 2\r\n\r\n{}");
        return raw;
    }

    @Test
    void aStuckClientIsCutOff() {
        CompletableFuture<Integer> taken = new CompletableFuture<>();
        api.sends(sink -> onThread(() -> {
            int rows = 0;
            while (sink.put(new Row(rows, PADDING))) {
                rows++;
            }
            taken.complete(rows);
        }));
        RawClient raw = stuck();
        try {
            int rows = taken.orTimeout(20, TimeUnit.SECONDS).join();
            assertTrue(rows < 20_000, rows + " rows wait for somebody who does not read");
        } finally {
            raw.close();
        }
    }

    @Test
    void aStuckClientLosesWhatIsOnlyOffered() {
        AtomicLong lost = new AtomicLong();
        CompletableFuture<RowSink> end = new CompletableFuture<>();
        api.sends(sink -> onThread(() -> {
            while (sink.isOpen()) {
                if (!sink.offer(new Row(1, PADDING))) {
                    lost.incrementAndGet();
                }
            }
            end.complete(sink);
        }));
        RawClient raw = stuck();
        try {
            assertFalse(end.orTimeout(20, TimeUnit.SECONDS).join().isOpen());
            assertTrue(lost.get() > 0);
        } finally {
            raw.close();
        }
    }
}
