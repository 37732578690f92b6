// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import io.l4lb.healthcheck.ProbeStatistics;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class MetricsServerTest {
    static final ProbeStatistics PROBES = new ProbeStatistics(
            6,
            2,
            1,
            new ProbeStatistics.Verdicts(100, 20, 3),
            new ProbeStatistics.Lag(Duration.ofMillis(1), Duration.ofMillis(20), Duration.ofMillis(500)));

    @Test
    void hasTheStateOfEveryReal() throws Exception {
        try (RunningAgent agent = new RunningAgent(config(web(real(ONE, 100)))).up();
                MetricsServer server = MetricsServer.start("127.0.0.1:0", agent::status, agent.stats, () -> PROBES)) {
            agent.kernel.count(new ServiceKey(VIP4, Protocol.TCP, 80), "drop-ttl", new Counter(3, 180));
            agent.up();
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            assertTrue(
                    answer.body().contains("l4lb_real_slots{real=\"10.0.1.1\",service=\"web\"} 251.0"), answer.body());
            assertTrue(
                    answer.body()
                            .contains("l4lb_service_not_forwarded_packets{service=\"web\",verdict=\"drop-ttl\"} 3.0"),
                    answer.body());
            assertTrue(answer.body().contains("l4lb_events{event=\"flow-added\"} 0.0"), answer.body());
            for (String line : new String[] {
                "l4lb_health_targets 6.0",
                "l4lb_health_distinct_probes 2.0",
                "l4lb_health_probes_in_flight 1.0",
                "l4lb_health_probes{outcome=\"inconclusive\"} 3.0",
                "l4lb_health_schedule_lag_seconds{quantile=\"0.99\"} 0.02"
            }) {
                assertTrue(answer.body().contains(line), answer.body());
            }
            assertTrue(answer.body().contains("l4lb_service_announced{service=\"web\"} 1.0"), answer.body());
        }
    }

    @Test
    void saysThatItsPortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String listen = "127.0.0.1:" + taken.getLocalPort();
            DataplaneException refused = assertThrows(
                    DataplaneException.class,
                    () -> MetricsServer.start(
                            listen,
                            () -> {
                                throw new AssertionError("not asked");
                            },
                            () -> {
                                throw new AssertionError("not asked");
                            },
                            () -> PROBES));
            assertTrue(refused.toString().contains(listen), refused.toString());
        }
    }
}
