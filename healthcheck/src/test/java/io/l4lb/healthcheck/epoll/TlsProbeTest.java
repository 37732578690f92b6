// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.healthcheck.Verdict;
import io.l4lb.healthcheck.check.HttpCheck;
import io.l4lb.healthcheck.check.Match;
import io.l4lb.healthcheck.check.TlsCheck;
import io.l4lb.healthcheck.check.TlsSettings;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS and HTTPS against nginx with certificates of every kind. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TlsProbeTest {
    private static final List<String> SERVERS =
            List.of("good", "soon", "expired", "early", "other", "self", "foreign", "mutual");

    private final Map<String, InetSocketAddress> addresses = new HashMap<>();
    private TestAuthority authority;
    private Nginx nginx;
    private ProbeBench bench = new ProbeBench();

    @BeforeAll
    void serve(@TempDir Path directory) throws Exception {
        authority = new TestAuthority(directory);
        Instant now = Instant.now();
        Instant before = now.minus(Duration.ofDays(10));
        Instant after = now.plus(Duration.ofDays(100));
        String names = "DNS:www.example.org,IP:127.0.0.1";
        for (String name : List.of("good", "mutual", "client")) {
            authority.issue(name, names, before, after);
        }
        authority.issue("soon", names, before, now.plus(Duration.ofDays(5)).plus(Duration.ofHours(1)));
        authority.issue("expired", names, before, now.minus(Duration.ofDays(3)).minus(Duration.ofHours(1)));
        authority.issue("early", names, Instant.parse("2090-01-02T03:04:05Z"), Instant.parse("2091-01-01T00:00:00Z"));
        authority.issue("other", "DNS:other.example.org,IP:127.0.0.2", before, after);
        authority.selfSigned("self", "self", "subjectAltName=" + names);
        TestAuthority stranger = new TestAuthority(Files.createDirectory(directory.resolve("stranger")));
        stranger.issue("foreign", names, before, after);
        for (String end : List.of(".pem", ".key")) {
            Files.copy(stranger.file("foreign" + end), directory.resolve("foreign" + end));
        }
        StringBuilder servers = new StringBuilder();
        for (String name : SERVERS) {
            addresses.put(name, Nginx.freePort());
            servers.append(server(name));
        }
        nginx = new Nginx(directory, servers.toString(), address("mutual"));
    }

    private String server(String name) {
        String verify = name.equals("mutual") ? "ssl_client_certificate ca.pem; ssl_verify_client on;" : "";
        return String.format(
                """
                server {
                  listen %s ssl;
                  ssl_protocols %s;
                  ssl_certificate %s.pem; ssl_certificate_key %s.key; ssl_session_cache shared:%s:1m;
                  %s
                  location / { return 200 "reused=$ssl_session_reused name=$ssl_server_name client=$ssl_client_s_dn"; }
                }
                """,
                NetUtil.toSocketAddressString(address(name)),
                name.equals("soon") ? "TLSv1.2" : "TLSv1.2 TLSv1.3",
                name,
                name,
                name,
                verify);
    }

    @AfterEach
    void renewBench() {
        bench.close();
        bench = new ProbeBench();
    }

    @AfterAll
    void stop() {
        bench.close();
        if (nginx != null) {
            nginx.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "www.example.org", "127.0.0.1"})
    void aTrustedCertificateForTheNameOrTheAddressIsGood(String name) {
        Verdict verdict = tls("good", verified(name, 0));
        assertEquals("TLS handshake done", verdict.reason());
        assertTrue(verdict.success());
        assertEquals("", verdict.notes().warning());
    }

    @ParameterizedTest
    @CsvSource({
        "expired,www.example.org,certificate expired 3 days ago",
        "early,www.example.org,certificate not valid before 2090-01-02 03:04:05Z",
        "other,www.example.org,certificate is for another name than www.example.org",
        "other,'',certificate is for another name than 127.0.0.1",
        "self,www.example.org,certificate is not trusted (self-signed)",
        "foreign,www.example.org,certificate is not signed by a trusted authority",
    })
    void aCertificateThatIsNotValidIsToldInWords(String server, String name, String reason) {
        Verdict verdict = tls(server, verified(name, 0));
        assertEquals(Verdict.Outcome.FAILURE, verdict.outcome());
        assertEquals(reason, verdict.reason());
        assertEquals(reason, https(server, verified(name, 0), "").reason());
    }

    @ParameterizedTest
    @ValueSource(strings = {"good", "expired", "early", "other", "self", "foreign"})
    void withoutVerificationAnyCertificateWillDo(String server) {
        Verdict verdict = https(server, TlsSettings.ANY_CERTIFICATE, "reused=. name= client=");
        assertEquals("HTTP 200", verdict.reason());
        assertEquals("", verdict.notes().warning());
    }

    /** The JDK itself never looks at the dates of a certificate that is among the trusted ones. */
    @Test
    void anExpiredCertificateThatIsPinnedHasExpired() {
        Optional<String> pinned = Optional.of(authority.read("expired.pem"));
        TlsSettings settings = new TlsSettings(Optional.of("www.example.org"), true, pinned, Optional.empty(), 0);
        assertEquals("certificate expired 3 days ago", tls("expired", settings).reason());
    }

    @Test
    void theMachinesAuthoritiesDoNotKnowOurs() {
        TlsSettings settings =
                new TlsSettings(Optional.of("www.example.org"), true, Optional.empty(), Optional.empty(), 0);
        assertEquals(
                "certificate is not signed by a trusted authority",
                tls("good", settings).reason());
    }

    @ParameterizedTest
    @CsvSource({"soon,5,''", "soon,6,certificate expires in 5 days", "good,30,''"})
    void aCertificateThatExpiresSoonIsASuccessWithAWarning(String server, int minimumDays, String warning) {
        Verdict verdict = tls(server, verified("www.example.org", minimumDays));
        assertTrue(verdict.success(), verdict.reason());
        assertEquals(warning, verdict.notes().warning());
    }

    @Test
    void theWarningComesWithoutVerificationToo() {
        TlsSettings settings = new TlsSettings(Optional.empty(), false, Optional.empty(), Optional.empty(), 1);
        Verdict verdict = tls("expired", settings);
        assertTrue(verdict.success(), verdict.reason());
        assertEquals("certificate expired 3 days ago", verdict.notes().warning());
    }

    /** A resumed session would hide a changed certificate. The one server speaks TLS 1.3, the other 1.2. */
    @ParameterizedTest
    @ValueSource(strings = {"good", "soon"})
    void noSessionIsEverResumed(String server) {
        for (int i = 0; i < 3; i++) {
            Verdict verdict = https(server, verified("www.example.org", 0), "reused=. name=www.example.org");
            assertEquals("HTTP 200", verdict.reason());
        }
    }

    @Test
    void aClientCertificateIsShown() {
        TlsSettings settings = new TlsSettings(
                Optional.of("www.example.org"), true, Optional.of(authority.pem()), client("client", "client"), 0);
        assertEquals("HTTP 200", https("mutual", settings, "client=CN=client").reason());
        assertEquals("HTTP 400", https("mutual", verified("", 0), "").reason());
    }

    @ParameterizedTest
    @CsvSource({
        "client,soon,the private key is not that of the client certificate",
        "client,client.csr,private key: no PEM of PKCS #8",
        "client.csr,client,client certificate: ",
    })
    void settingsThatCannotBeReadSayNothingOfTheReal(String certificate, String key, String words) {
        TlsSettings settings = new TlsSettings(Optional.empty(), false, Optional.empty(), client(certificate, key), 0);
        for (int i = 0; i < 2; i++) {
            Verdict verdict = tls("good", settings);
            assertEquals(Verdict.Outcome.INCONCLUSIVE, verdict.outcome());
            assertTrue(verdict.reason().startsWith("TLS settings cannot be used: " + words), verdict.reason());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", ""})
    void norDoAuthoritiesThatAreNone(String pem) {
        TlsSettings settings = new TlsSettings(Optional.empty(), true, Optional.of(pem), Optional.empty(), 0);
        Verdict verdict = tls("good", settings);
        assertEquals(Verdict.Outcome.INCONCLUSIVE, verdict.outcome());
        assertTrue(verdict.reason().startsWith("TLS settings cannot be used: authorities: "), verdict.reason());
    }

    @Test
    void aServerNameThatIsNoneIsOurFaultToo() {
        Verdict verdict = tls("good", verified("not_a name", 0));
        assertEquals(Verdict.Outcome.INCONCLUSIVE, verdict.outcome(), verdict.reason());
    }

    @Test
    void eachStepIsTold() {
        HttpCheck check = new HttpCheck(
                HttpCheck.Request.get("/"),
                HttpCheck.Expectation.SUCCESS_OR_REDIRECT,
                Optional.of(verified("www.example.org", 0)),
                Optional.empty());
        List<String> steps = bench.trace(address("good"), check);
        List<String> expected = List.of(
                "socket",
                "SYN sent to 127.0.0.1",
                "connected from 127.0.0.1:\\d+",
                "TLS handshake done: TLSv1.3 TLS_AES_\\w+, certificate CN=good, expires \\d{4}-.*Z",
                "request sent: \\d+ octets",
                "first octet of the response",
                "HTTP 200",
                "response ended: \\d+ octets of body");
        assertEquals(expected.size(), steps.size(), steps.toString());
        for (int i = 0; i < steps.size(); i++) {
            assertTrue(steps.get(i).matches(expected.get(i)), steps.toString());
        }
    }

    @Test
    void aClientCertificateNeverShowsItsKey() {
        assertFalse(client("client", "client").toString().contains("KEY"));
    }

    private Optional<TlsSettings.ClientCertificate> client(String certificate, String key) {
        return Optional.of(new TlsSettings.ClientCertificate(
                authority.read(certificate.contains(".") ? certificate : certificate + ".pem"),
                authority.read(key.contains(".") ? key : key + ".key")));
    }

    private TlsSettings verified(String name, int minimumDays) {
        Optional<String> serverName = name.isEmpty() ? Optional.empty() : Optional.of(name);
        return new TlsSettings(serverName, true, Optional.of(authority.pem()), Optional.empty(), minimumDays);
    }

    private InetSocketAddress address(String server) {
        return Objects.requireNonNull(addresses.get(server));
    }

    private Verdict tls(String server, TlsSettings settings) {
        return bench.probe(address(server), new TlsCheck(settings), ProbeBench.PATIENT);
    }

    private Verdict https(String server, TlsSettings settings, String body) {
        HttpCheck check = new HttpCheck(
                HttpCheck.Request.get("/"),
                new HttpCheck.Expectation(
                        HttpCheck.Expectation.SUCCESS_OR_REDIRECT.statuses(),
                        body.isEmpty() ? Optional.empty() : Optional.of(Match.containing(body))),
                Optional.of(settings),
                Optional.empty());
        return bench.probe(address(server), check, ProbeBench.PATIENT);
    }
}
