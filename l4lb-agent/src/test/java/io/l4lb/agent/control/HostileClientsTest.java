// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.StatusView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Slow, broken and too many clients: none of them costs the others their answer. */
@Timeout(60)
class HostileClientsTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);
    private static final Duration LONG = Duration.ofSeconds(50);
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir
    private Path directory;

    private final FakeControlApi api = new FakeControlApi();

    private Path socket() {
        return directory.resolve("control.sock");
    }

    private ControlServer server(int connections, Duration transfer) {
        return ControlServer.start(socket(), api, new Limits(connections, 1024, transfer, LONG));
    }

    private static void assertServes(ControlServer server) {
        try (ControlClient client = new ControlClient(server.socket())) {
            assertEquals(
                    "degraded", client.get("/v1/status", DEADLINE).path("state").asText());
        }
    }

    @Test
    void aBodyThatIsTooLargeIsRefused() {
        try (ControlServer server = server(4, LONG)) {
            String answer = RawClient.ask(server.socket(), "POST", "/v1/explain", "x".repeat(100_000));
            assertTrue(answer.startsWith("HTTP/1.1 413 "), answer);
            assertTrue(answer.endsWith("{\"error\":\"the body is larger than 1024 bytes\"}"), answer);
            assertServes(server);
        }
    }

    @Test
    void whatIsNotHttpIsRefused() {
        try (ControlServer server = server(4, LONG)) {
            String answer = RawClient.ask(server.socket(), "\u0000\u0001 nonsense\r\n\r\n");
            assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
            String endless = RawClient.ask(server.socket(), "GET /" + "x".repeat(50_000));
            assertTrue(endless.startsWith("HTTP/1.1 400 "), endless);
            assertServes(server);
        }
    }

    @Test
    void slowClientsDoNotBlockOthersAndAreClosed() {
        try (ControlServer server = server(4, SHORT);
                RawClient silent = new RawClient(server.socket());
                RawClient slow = new RawClient(server.socket())) {
            slow.send("GET /v1/sta");
            assertServes(server);
            assertEquals("", silent.readAll());
            assertEquals("", slow.readAll());
        }
    }

    @Test
    void aClientThatDoesNotReadIsClosed() {
        ServiceView service = Samples.edge();
        StatusView status = Samples.status();
        api.reports(new StatusView(
                status.state(),
                status.version(),
                status.since(),
                status.dataplane(),
                status.bgp(),
                List.of(),
                Map.of(),
                Collections.nCopies(5_000, service)));
        try (ControlServer server = server(1, SHORT);
                RawClient deaf = new RawClient(server.socket())) {
            deaf.send("GET /v1/status HTTP/1.1\r\n\r\n");
            // One connection at a time: the next client is served when the deaf one has been given up.
            String answer;
            do {
                answer = RawClient.ask(server.socket(), "GET", "/v1/services/edge", "");
            } while (answer.startsWith("HTTP/1.1 503 "));
            assertTrue(answer.startsWith("HTTP/1.1 200 "), answer);
        }
    }

    @Test
    void theOldestIdlerMakesRoom() {
        try (ControlServer server = server(2, LONG);
                RawClient first = new RawClient(server.socket());
                RawClient second = new RawClient(server.socket());
                RawClient third = new RawClient(server.socket())) {
            assertEquals("", first.readAll());
            second.send("GET /v1/reals HTTP/1.1\r\n\r\n");
            assertTrue(second.readAll().startsWith("HTTP/1.1 200 "));
            third.send("GET /v1/reals HTTP/1.1\r\n\r\n");
            assertTrue(third.readAll().startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void aRequestInWorkDoesNotMakeRoom() throws InterruptedException {
        CompletableFuture<ReloadView> reload = new CompletableFuture<>();
        api.reloads(reload);
        try (ControlServer server = server(1, LONG);
                RawClient reloading = new RawClient(server.socket())) {
            reloading.send("POST /v1/reload HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
            api.awaitReload();
            String refused = RawClient.ask(server.socket(), "GET", "/v1/status", "");
            assertTrue(refused.startsWith("HTTP/1.1 503 "), refused);
            reload.complete(new ReloadView(true, List.of(), List.of()));
            assertTrue(reloading.readAll().startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void onlyTheFirstRequestOfAConnectionIsAnswered() {
        try (ControlServer server = server(4, LONG)) {
            String request = "GET /v1/services/dns HTTP/1.1\r\n\r\n";
            String answer = RawClient.ask(server.socket(), request + request);
            assertEquals(answer.indexOf("HTTP/1.1"), answer.lastIndexOf("HTTP/1.1"));
            assertTrue(answer.contains("connection: close"), answer);
        }
    }

    @Test
    void aClientThatIsGoneIsForgotten() {
        CompletableFuture<ReloadView> reload = new CompletableFuture<>();
        api.reloads(reload);
        try (ControlServer server = server(4, LONG)) {
            for (int i = 0; i < 20; i++) {
                try (RawClient client = new RawClient(server.socket())) {
                    client.send("POST /v1/reload HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
                }
            }
            reload.complete(new ReloadView(true, List.of(), List.of()));
            assertServes(server);
        }
    }

    @Test
    void manyClientsAtOnce() {
        try (ControlServer server = server(32, LONG);
                ControlClient client = new ControlClient(server.socket())) {
            List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                answers.add(CompletableFuture.supplyAsync(() -> client.get("/v1/reals", DEADLINE)));
            }
            answers.forEach(answer -> assertEquals(3, answer.join().size()));
        }
    }
}
