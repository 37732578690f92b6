// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.LoadSource;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.StatusRange;
import io.l4lb.healthcheck.load.LoadReading;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests and responses of every kind against nginx, and what loads are found in them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HttpNginxTest {
    private static final String LOCATIONS = """
            location /health { return 200 "ok $request_method host=$host x=$http_x_token"; }
            location /down { add_header X-Load 0.25 always; return 503 '{"load": {"cpu": 0.5}}'; }
            location /load { add_header X-Load 0.75; return 200 '{"load": {"cpu": 0.5}}'; }
            location /orca { add_header endpoint-load-metrics "TEXT cpu_utilization=0.3"; return 200 ok; }
            location /orca-bin { add_header endpoint-load-metrics-bin CTMzMzMzM9M/; return 200 ok; }
            location /twice { add_header X-Load 0.75; add_header X-Load 0.8; return 200 ok; }
            location /files { root .; }
            """;

    private final InetSocketAddress address = Nginx.freePort();
    private final ProbeBench bench = new ProbeBench();
    private Nginx nginx;

    @BeforeAll
    void serve(@TempDir Path directory) throws Exception {
        Path files = Files.createDirectory(directory.resolve("files"));
        Files.writeString(files.resolve("long"), "start" + "x".repeat(200_000) + "finish");
        Files.writeString(files.resolve("long.json"), "{\"a\": 0.1, \"b\": \"" + "x".repeat(200_000) + "\"}");
        String server = "server { listen " + NetUtil.toSocketAddressString(address) + ";\n" + LOCATIONS + "}\n";
        nginx = new Nginx(directory, server, address);
    }

    @AfterAll
    void stop() {
        bench.close();
        if (nginx != null) {
            nginx.close();
        }
    }

    @Test
    void methodHostAndHeadersAreSent() {
        HttpCheck.Request request = new HttpCheck.Request(
                "DELETE", "/health", Optional.of("www.example.org"), List.of(new HttpCheck.Header("X-Token", "t 1")));
        assertEquals("HTTP 200", probe(request, "ok DELETE host=www.example.org x=t 1"));
        assertEquals("HTTP 200", probe(HttpCheck.Request.get("/health"), "host=127.0.0.1"));
    }

    @Test
    void aHeadHasNoBody() {
        HttpCheck.Request request = new HttpCheck.Request("HEAD", "/files/long", Optional.empty(), List.of());
        assertEquals("HTTP 200", probe(request, ""));
    }

    @ParameterizedTest
    @CsvSource({
        "/health,ok GET,HTTP 200",
        "/health,OK,body did not match \"OK\"",
        "/down,load,HTTP 503",
        "/nowhere,'',HTTP 404",
        "/files/long,start,HTTP 200",
        "/files/long,finish,body did not match \"finish\"",
    })
    void theBodyIsMatchedAsFarAsItIsRead(String path, String body, String reason) {
        assertEquals(reason, probe(HttpCheck.Request.get(path), body));
    }

    @Test
    void anExpectedFailureIsASuccess() {
        HttpCheck check = new HttpCheck(
                HttpCheck.Request.get("/down"),
                new HttpCheck.Expectation(List.of(new StatusRange(500, 599)), Optional.empty()),
                Optional.empty(),
                Optional.empty());
        assertTrue(bench.probe(address, check, ProbeBench.PATIENT).success());
    }

    @ParameterizedTest
    @CsvSource({"/load,0.75,HTTP 200", "/down,0.25,HTTP 503"})
    void aPlainHeaderHasTheLoad(String path, double load, String reason) {
        Verdict verdict = load(path, new LoadSource.Header("x-load"));
        assertEquals(reason, verdict.reason());
        assertEquals(load, utilization(verdict));
    }

    @ParameterizedTest
    @CsvSource({"/load,HTTP 200", "/down,HTTP 503"})
    void aFieldOfTheBodyHasIt(String path, String reason) {
        Verdict verdict = load(path, new LoadSource.JsonField("/load/cpu"));
        assertEquals(reason, verdict.reason());
        assertEquals(0.5, utilization(verdict));
    }

    @ParameterizedTest
    @CsvSource({"/orca", "/orca-bin"})
    void orcaHasIt(String path) {
        assertEquals(0.3, utilization(load(path, new LoadSource.Orca())));
    }

    @Test
    void aLoadThatIsMissingIsASuccessThatSaysSo() {
        assertEquals("no header X-Load", problem(load("/health", new LoadSource.Header("X-Load"))));
        assertEquals("no header endpoint-load-metrics", problem(load("/health", new LoadSource.Orca())));
        assertEquals("more than one header X-Load", problem(load("/twice", new LoadSource.Header("X-Load"))));
        assertEquals(
                "the body with /a did not come to its end",
                problem(load("/files/long.json", new LoadSource.JsonField("/a"))));
    }

    private String probe(HttpCheck.Request request, String body) {
        Optional<Match> match = body.isEmpty() ? Optional.empty() : Optional.of(Match.containing(body));
        HttpCheck check = new HttpCheck(
                request,
                new HttpCheck.Expectation(List.of(StatusRange.SUCCESS_OR_REDIRECT), match),
                Optional.empty(),
                Optional.empty());
        return bench.probe(address, check, ProbeBench.PATIENT).reason();
    }

    private Verdict load(String path, LoadSource source) {
        HttpCheck check = new HttpCheck(
                HttpCheck.Request.get(path),
                HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                Optional.empty(),
                Optional.of(source));
        return bench.probe(address, check, ProbeBench.PATIENT);
    }

    private static String problem(Verdict verdict) {
        assertTrue(verdict.success(), verdict.reason());
        return verdict.notes().load().map(LoadReading::problem).orElse("none");
    }

    private static double utilization(Verdict verdict) {
        LoadReading reading = verdict.notes().load().orElseThrow();
        return reading.report()
                .orElseThrow(() -> new AssertionError(reading.problem()))
                .utilization()
                .orElseThrow();
    }
}
