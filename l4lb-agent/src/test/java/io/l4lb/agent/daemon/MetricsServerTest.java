// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

final class MetricsServerTest {
    @Test
    void hasTheStateOfEveryReal() throws Exception {
        try (RunningAgent agent = new RunningAgent(config(web(real(ONE, 100)))).up();
                MetricsServer server = MetricsServer.start("127.0.0.1:0", agent::status, agent.stats)) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(200, answer.statusCode());
            assertTrue(
                    answer.body().contains("l4lb_real_slots{real=\"10.0.1.1\",service=\"web\"} 251.0"), answer.body());
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
                            }));
            assertTrue(refused.toString().contains(listen), refused.toString());
        }
    }
}
