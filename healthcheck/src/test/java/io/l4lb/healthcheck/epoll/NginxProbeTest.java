// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.Verdict.Outcome;
import io.l4lb.healthcheck.check.Check;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.LoadSource;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.StatusRange;
import io.l4lb.healthcheck.check.TcpCheck;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP, HTTPS and TLS against nginx. */
final class NginxProbeTest {
    private static final String ALTERNATIVES = "DNS:www.example.org,IP:127.0.0.1";

    /** Each server has a port of its own: its place in this list. */
    private static final List<String> SERVERS =
            List.of("good", "expired", "future", "other", "lonely", "picky", "plain");

    @TempDir
    private static Path directory;

    private static Certificates certificates;
    private static Process nginx;
    private static final List<Integer> PORTS = new ArrayList<>();

    private final ProbeBench bench = new ProbeBench();

    @BeforeAll
    static void startNginx() throws Exception {
        certificates = new Certificates(directory);
        certificates.signed("good", ALTERNATIVES, "20200101000000Z", "20490101000000Z");
        certificates.signed("expired", ALTERNATIVES, "20200101000000Z", "20210101000000Z");
        certificates.signed("future", ALTERNATIVES, "20480101000000Z", "20490101000000Z");
        certificates.signed("other", "DNS:other.example.org", "20200101000000Z", "20490101000000Z");
        certificates.selfSigned("lonely", ALTERNATIVES);
        certificates.signed("client", "DNS:director.example.org", "20200101000000Z", "20490101000000Z");
        freePorts();
        Files.writeString(directory.resolve("nginx.conf"), configuration());
        nginx = new ProcessBuilder("/usr/sbin/nginx", "-p", directory.toString(), "-c", "nginx.conf", "-e", "error.log")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("nginx.out").toFile())
                .start();
        try (ProbeBench bench = new ProbeBench()) {
            for (int i = 0;
                    i < 1000
                            && !bench.probe(address("plain"), new TcpCheck(), ProbeBench.PATIENT)
                                    .success();
                    i++) {
                assertTrue(nginx.isAlive(), () -> log());
            }
        }
    }

    @AfterAll
    static void stopNginx() throws InterruptedException {
        nginx.destroy();
        nginx.waitFor();
    }

    @AfterEach
    void stop() {
        bench.close();
    }

    @ParameterizedTest
    @CsvSource({
        "good,true,SUCCESS,TLS handshake done",
        "expired,true,FAILURE,certificate expired ",
        "future,true,FAILURE,certificate not valid before 2048-01-01 00:00:00Z",
        "other,true,FAILURE,certificate is for another name than www.example.org",
        "lonely,true,FAILURE,certificate is not trusted (self-signed)",
        "picky,true,SUCCESS,TLS handshake done",
        "plain,true,FAILURE,peer does not speak TLS",
        "good,false,SUCCESS,TLS handshake done",
        "expired,false,SUCCESS,TLS handshake done",
        "other,false,SUCCESS,TLS handshake done",
        "lonely,false,SUCCESS,TLS handshake done"
    })
    void aHandshakeIsAsGoodAsTheCertificate(String server, boolean verify, Outcome outcome, String reason) {
        Verdict verdict = probe(server, new TlsCheck(settings(verify, false, 0)));
        assertTrue(verdict.reason().startsWith(reason), verdict.reason());
        assertEquals(outcome, verdict.outcome());
    }

    @Test
    void withoutANameTheAddressIsVerified() {
        TlsSettings nameless =
                new TlsSettings(Optional.empty(), true, Optional.of(certificates.text("ca.pem")), Optional.empty(), 0);
        assertEquals("TLS handshake done", probe("good", new TlsCheck(nameless)).reason());
        assertEquals(
                "certificate is for another name than 127.0.0.1",
                probe("other", new TlsCheck(nameless)).reason());
    }

    @Test
    void anotherAuthorityIsNotTrusted() {
        TlsSettings strangers = new TlsSettings(
                Optional.of("www.example.org"),
                true,
                Optional.of(certificates.text("lonely.pem")),
                Optional.empty(),
                0);
        assertEquals(
                "certificate is not signed by a trusted authority",
                probe("good", new TlsCheck(strangers)).reason());
    }

    @Test
    void anEndThatIsNearIsAWarning() {
        assertEquals(
                "",
                probe("good", new TlsCheck(settings(true, false, 30))).notes().warning());
        Verdict near = probe("lonely", new TlsCheck(settings(false, false, 60)));
        assertTrue(near.success());
        assertEquals("certificate expires in 29 days", near.notes().warning());
        Verdict past = probe("expired", new TlsCheck(settings(false, false, 60)));
        assertTrue(past.success());
        assertTrue(
                past.notes().warning().startsWith("certificate expired "),
                past.notes().warning());
    }

    @Test
    void aServerThatWantsACertificateGetsTheClients() {
        Verdict without = probe("picky", https("/", settings(true, false, 0)));
        assertEquals(Outcome.FAILURE, without.outcome());
        assertTrue(List.of("certificate required", "HTTP 400").contains(without.reason()), without.reason());
        assertEquals(
                "HTTP 200", probe("picky", https("/", settings(true, true, 0))).reason());
    }

    @Test
    void settingsThatCannotBeUsedSayNothingOfTheReal() {
        TlsSettings broken =
                new TlsSettings(Optional.empty(), true, Optional.of("no certificate"), Optional.empty(), 0);
        Verdict verdict = probe("good", new TlsCheck(broken));
        assertEquals(Outcome.INCONCLUSIVE, verdict.outcome());
        assertTrue(verdict.reason().startsWith("TLS settings cannot be used: "), verdict.reason());
    }

    @ParameterizedTest
    @CsvSource({
        "GET,/health,200,ok,HTTP 200",
        "HEAD,/health,200,,HTTP 200",
        "GET,/health,204,,HTTP 200",
        "GET,/missing,404,,HTTP 404",
        "GET,/missing,200,,HTTP 404",
        "GET,/sick,503,,HTTP 503",
        "GET,/health,200,fine,'body did not match \"fine\"'",
        "POST,/health,405,,HTTP 405"
    })
    void aResponseIsHeldAgainstWhatIsExpected(String method, String path, int status, String body, String reason) {
        HttpCheck check = new HttpCheck(
                new HttpCheck.Request(method, path, Optional.of("www.example.org"), List.of()),
                new HttpCheck.Expectation(
                        List.of(new StatusRange(status, status)),
                        Optional.ofNullable(body).map(Match::containing)),
                Optional.empty(),
                Optional.empty());
        Verdict verdict = probe("plain", check);
        assertEquals(reason, verdict.reason());
        assertEquals(reason.equals("HTTP " + status), verdict.success());
    }

    @Test
    void headersAreSent() {
        HttpCheck check = new HttpCheck(
                new HttpCheck.Request(
                        "GET", "/echo", Optional.empty(), List.of(new HttpCheck.Header("X-Probe", "from l4lb"))),
                new HttpCheck.Expectation(
                        List.of(StatusRange.SUCCESS_OR_REDIRECT),
                        Optional.of(Match.regex("^probe=from l4lb host=127"))),
                Optional.empty(),
                Optional.empty());
        assertEquals("HTTP 200", probe("plain", check).reason());
    }

    @ParameterizedTest
    @CsvSource({"/health,0.5", "/sick,0.9"})
    void loadIsReadOfGoodAndBadAnswers(String path, double load) {
        for (LoadSource source :
                List.of(new LoadSource.Header("X-Load"), new LoadSource.Orca(), new LoadSource.JsonField("/load/0"))) {
            HttpCheck check = new HttpCheck(
                    HttpCheck.Request.get(path + "?json"),
                    HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                    Optional.empty(),
                    Optional.of(source));
            assertEquals(
                    OptionalDouble.of(load),
                    probe("plain", check)
                            .notes()
                            .load()
                            .orElseThrow()
                            .report()
                            .orElseThrow()
                            .utilization(),
                    source.toString());
        }
    }

    @Test
    void aLoadThatIsMissingIsSaidAndTheRealIsUp() {
        HttpCheck check = new HttpCheck(
                HttpCheck.Request.get("/health"),
                HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                Optional.empty(),
                Optional.of(new LoadSource.Header("X-None")));
        Verdict verdict = probe("plain", check);
        assertTrue(verdict.success());
        assertEquals("no header X-None", verdict.notes().load().orElseThrow().problem());
    }

    private static HttpCheck https(String path, TlsSettings settings) {
        return new HttpCheck(
                HttpCheck.Request.get(path),
                HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                Optional.of(settings),
                Optional.empty());
    }

    private static TlsSettings settings(boolean verify, boolean client, int minimumDays) {
        return new TlsSettings(
                Optional.of("www.example.org"),
                verify,
                verify ? Optional.of(certificates.text("ca.pem")) : Optional.empty(),
                client
                        ? Optional.of(new TlsSettings.ClientCertificate(
                                certificates.text("client.pem"), certificates.text("client.key")))
                        : Optional.empty(),
                minimumDays);
    }

    private Verdict probe(String server, Check check) {
        return bench.probe(address(server), check, ProbeBench.PATIENT);
    }

    private static InetSocketAddress address(String server) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), PORTS.get(SERVERS.indexOf(server)));
    }

    private static void freePorts() throws IOException {
        List<ServerSocket> held = new ArrayList<>();
        for (int i = 0; i < SERVERS.size(); i++) {
            held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            PORTS.add(held.get(i).getLocalPort());
        }
        for (ServerSocket socket : held) {
            socket.close();
        }
    }

    private static String configuration() {
        StringBuilder servers = new StringBuilder();
        for (String name : SERVERS) {
            int port = address(name).getPort();
            servers.append(name.equals("plain") ? plain(port) : overTls(name, port));
        }
        return """
                daemon off;
                worker_processes 1;
                pid nginx.pid;
                user root;
                events {}
                http {
                  access_log off;
                  client_body_temp_path body;
                  proxy_temp_path proxy;
                  fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi;
                  scgi_temp_path scgi;
                  %s
                }
                """.formatted(servers);
    }

    private static String overTls(String name, int port) {
        String own = name.equals("picky") ? "good" : name;
        String verify = name.equals("picky") ? "ssl_client_certificate ca.pem; ssl_verify_client on;" : "";
        return """
                server {
                  listen 127.0.0.1:%d ssl;
                  ssl_certificate %s.pem;
                  ssl_certificate_key %s.key;
                  %s
                  location / { return 200 "ok"; }
                }
                """.formatted(port, own, own, verify);
    }

    private static String plain(int port) {
        return """
                server {
                  listen 127.0.0.1:%d;
                  location = /health {
                    if ($request_method = POST) { return 405; }
                    add_header X-Load 0.5 always;
                    add_header endpoint-load-metrics "TEXT cpu_utilization=0.5" always;
                    if ($args = json) { return 200 '{"load": [0.5]}'; }
                    return 200 "ok";
                  }
                  location = /sick {
                    add_header X-Load 0.9 always;
                    add_header endpoint-load-metrics 'JSON {"cpu_utilization": 0.9}' always;
                    return 503 '{"load": [0.9]}';
                  }
                  location = /echo { return 200 "probe=$http_x_probe host=$host"; }
                  location / { return 404; }
                }
                """.formatted(port);
    }

    private static String log() {
        try {
            return Files.readString(directory.resolve("nginx.out"));
        } catch (IOException e) {
            return e.toString();
        }
    }
}
