// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.agent.status.StatusView;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutesOverSocketTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final FakeControlApi api = new FakeControlApi();
    private Path socket = Path.of("");
    private ControlServer server;
    private ControlClient client;

    @BeforeEach
    void start(@TempDir Path directory) {
        socket = directory.resolve("control.sock");
        server = ControlServer.start(socket, api, new Limits(4, 1024, Duration.ofSeconds(20), Duration.ofMillis(500)));
        client = new ControlClient(socket);
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    @Test
    void statusSurvivesTheWay() throws JsonProcessingException {
        assertEquals(Samples.status(), Json.read(client.get("/v1/status", DEADLINE), StatusView.class));
    }

    @Test
    void namesAreTheConfigurationsKeys() {
        JsonNode status = client.get("/v1/status?pretty", DEADLINE);
        assertEquals("eth0", status.at("/dataplane/interface").asText());
        assertEquals(4200000000L, status.at("/bgp/neighbors/1/peer-as").asLong());
        assertEquals(65537, status.at("/services/0/table-size").asInt());
        assertEquals(1, status.at("/services/0/quorum").numberValue());
        assertEquals("30%", status.at("/services/1/quorum").textValue());
        assertEquals("5-tuple", status.at("/services/0/hash-key").asText());
        assertEquals("/health", status.at("/services/0/health-check/path").asText());
        assertEquals(0, status.at("/services/0/reals/1/effective-weight").asInt(-1));
        assertEquals(123456, status.at("/verdicts/forward").asLong());
    }

    @Test
    void servicesAndReals() throws JsonProcessingException {
        ServiceView[] services = Json.read(client.get("/v1/services", DEADLINE), ServiceView[].class);
        assertEquals(List.of(Samples.edge(), Samples.dns()), List.of(services));
        assertEquals(Samples.dns(), Json.read(client.get("/v1/services/dns", DEADLINE), ServiceView.class));
        JsonNode reals = client.get("/v1/reals", DEADLINE);
        assertEquals(List.of("edge", "edge", "dns"), reals.findValuesAsText("service"));
    }

    @Test
    void anUnknownServiceIsNotFound() {
        ControlException failure =
                assertThrows(ControlException.class, () -> client.get("/v1/services/a%2Fb", DEADLINE));
        assertEquals("no service is named \"a/b\"", failure.getMessage());
        assertEquals(ControlException.Kind.REFUSED, failure.kind());
    }

    @Test
    void reloadAnswersWhenItIsDone() throws JsonProcessingException {
        ReloadView done = new ReloadView(true, List.of("a.toml:1: port: is missing"), List.of("dns"));
        CompletableFuture<ReloadView> reload = new CompletableFuture<>();
        api.reloads(reload);
        CompletableFuture<JsonNode> answer =
                CompletableFuture.supplyAsync(() -> client.post("/v1/reload", Map.of(), DEADLINE));
        reload.complete(done);
        assertEquals(done, Json.read(answer.join(), ReloadView.class));
    }

    @Test
    void explainAsksForTheGivenPacket() {
        JsonNode answer =
                client.post("/v1/explain", new ExplainRequest("10.1.0.2:1234", "192.0.2.10:80", "tcp", true), DEADLINE);
        assertEquals(Samples.tree(Samples.explanation()), answer);
        var unused = client.post(
                "/v1/explain", new ExplainRequest("[2001:db8::2]:53", "[2001:db8::10]:53", "udp", false), DEADLINE);
        assertEquals(
                List.of(
                        "/10.1.0.2:1234 /192.0.2.10:80 6 true",
                        "/[2001:db8:0:0:0:0:0:2]:53 /[2001:db8:0:0:0:0:0:10]:53 17 false"),
                api.explained());
    }

    @Test
    void explainAsksForTheGivenFrame() {
        JsonNode answer = client.post("/v1/explain/frame", new ExplainFrameRequest("02:00:FF\n 1a"), DEADLINE);
        assertEquals(Samples.tree(Samples.explanation()), answer);
        assertEquals(List.of("0200ff1a"), api.explained());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[] | the body is not a JSON object",
                "{} | frame: missing",
                "{\"frame\":1} | frame: not a string",
                "{\"frame\":\"00\",\"syn\":true} | unknown key \"syn\"",
                "{\"frame\":\"\"} | a frame is written as pairs of hexadecimal digits, with or without 0x, spaces and colons",
                "{\"frame\":\"0x0\"} | a frame is written as pairs of hexadecimal digits, with or without 0x, spaces and colons",
            })
    void framesThatAreNone(String body, String error) {
        assertAnswer(400, error, RawClient.ask(socket, "POST", "/v1/explain/frame", body));
    }

    @Test
    void aFrameIsAsLongAsARequestCanCarry() {
        int most = 64 * 1024;
        server.close();
        server = ControlServer.start(socket, api, Limits.DEFAULT);
        JsonNode answer = client.post("/v1/explain/frame", new ExplainFrameRequest("00".repeat(most)), DEADLINE);
        assertEquals(Samples.tree(Samples.explanation()), answer);
        assertEquals(List.of("00".repeat(most)), api.explained());
        assertThrows(IllegalArgumentException.class, () -> new ExplainFrameRequest("00".repeat(most + 1)));
    }

    @Test
    void aFailingAgentIsAnError() {
        api.explains(CompletableFuture.failedFuture(new IllegalStateException("EPERM: map lookup")));
        String answer = RawClient.ask(
                socket,
                "POST",
                "/v1/explain",
                "{\"source\":\"10.1.0.2:1\",\"destination\":\"10.1.0.3:2\",\"protocol\":\"tcp\"}");
        assertTrue(answer.startsWith("HTTP/1.1 500 "), answer);
        assertTrue(answer.endsWith("\r\n\r\n{\"error\":\"EPERM: map lookup\"}"), answer);
    }

    @Test
    void anAgentThatNeverFinishesIsAnError() {
        api.reloads(new CompletableFuture<>());
        String answer = RawClient.ask(socket, "POST", "/v1/reload", "");
        assertTrue(answer.startsWith("HTTP/1.1 504 "), answer);
    }

    @Test
    void theClientHasADeadline() {
        api.reloads(new CompletableFuture<>());
        ControlException failure =
                assertThrows(ControlException.class, () -> client.post("/v1/reload", Map.of(), Duration.ofMillis(50)));
        assertEquals(ControlException.Kind.UNREACHABLE, failure.kind());
        assertEquals("the agent on " + socket + " has not answered within 50 ms", failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET    | /            | 404 | no such path",
                "GET    | /v1/state    | 404 | no such path",
                "GET    | /v1/status/  | 404 | no such path",
                "GET    | /v1/%zz      | 404 | no such path",
                "POST   | /v1/status   | 405 | only GET is possible here",
                "DELETE | /v1/services/dns | 405 | only GET is possible here",
                "GET    | /v1/reload   | 405 | only POST is possible here",
            })
    void wrongRequests(String method, String target, int status, String error) {
        assertAnswer(status, error, RawClient.ask(socket, method, target, ""));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[] | the body is not a JSON object",
                "'' | the body is not a JSON object",
                "{\"source\":1} | source: not a string",
                "{\"source\":\"10.0.0.1:1\",\"destination\":\"10.0.0.2:1\"} | protocol: missing",
                "{\"sauce\":\"10.0.0.1:1\"} | unknown key \"sauce\"",
                "{\"syn\":1} | syn: neither true nor false",
                "{\"source\":\"10.0.0.1:1\",\"destination\":\"[::1]:1\",\"protocol\":\"tcp\"}"
                        + " | source and destination are not of one family",
                "{\"source\":\"10.0.0.1:1\",\"destination\":\"10.0.0.2:1\",\"protocol\":\"any\"}"
                        + " | protocol: a packet is of one protocol, not of any; name it:"
                        + " one of tcp, udp, dccp, sctp, udplite, gre, esp, ah, or its number",
                "{\"source\":\"localhost:1\",\"destination\":\"10.0.0.2:1\",\"protocol\":\"tcp\"}"
                        + " | \"localhost:1\" is not an address and a port, as 192.0.2.1:80 or [2001:db8::1]:80",
            })
    void wrongQuestions(String body, String error) {
        assertAnswer(400, error, RawClient.ask(socket, "POST", "/v1/explain", body));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{", "{}{}", "{\"syn\":true,\"syn\":true}"})
    void bodiesThatAreNotJson(String body) {
        String answer = RawClient.ask(socket, "POST", "/v1/explain", body);
        assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
        assertTrue(answer.contains("{\"error\":\"the body is not JSON"), answer);
    }

    private static void assertAnswer(int status, String error, String answer) {
        assertTrue(answer.startsWith("HTTP/1.1 " + status + " "), answer);
        String body = answer.substring(answer.indexOf("\r\n\r\n") + 4);
        assertEquals(new String(Json.bytes(Map.of("error", error)), StandardCharsets.UTF_8), body);
        if (status == 405) {
            assertTrue(answer.contains("\r\nallow: "), answer);
        }
    }
}
