// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.control.HealthAcceptRequest;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.status.HealthAcceptView;
import io.l4lb.agent.status.ServiceView;
import io.l4lb.healthcheck.HealthState;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A frozen service as an operator sees it, and his word on it. */
final class AcceptanceTest {
    private static final Config CONFIG = config(web(real(ONE, 100), real(TWO, 100), real(THREE, 100)));
    private static final String WEB =
            "3 of 3 reals failed within 30s, the last good set goes on; l4lb health accept web ends it";

    @Test
    void aFrozenServiceIsShownSo() throws Exception {
        try (RunningAgent agent = frozen();
                MetricsServer metrics = MetricsServer.start(
                        "127.0.0.1:0", agent::status, agent.stats, () -> MetricsServerTest.PROBES)) {
            ServiceView web = service(agent);
            assertTrue(web.frozen());
            assertTrue(web.announced());
            assertEquals(0, web.healthy());
            assertEquals("frozen: " + WEB, web.problem());
            assertEquals("down", web.reals().get(0).health());
            assertEquals(100, web.reals().get(0).effectiveWeight());
            assertEquals("degraded", agent.status().state());
            assertEquals("l4lb_service_frozen{service=\"web\"} 1.0", frozen(metrics));
            assertEquals(new HealthAcceptView(List.of("web")), accept(agent, "web", false));
            assertEquals("l4lb_service_frozen{service=\"web\"} 0.0", frozen(metrics));
        }
    }

    @Test
    void whatIsAcceptedIsWithdrawnWhenTheAnswerComes() throws Exception {
        for (boolean all : new boolean[] {true, false}) {
            try (RunningAgent agent = frozen()) {
                assertEquals(new HealthAcceptView(List.of("web")), accept(agent, all ? "" : "web", all));
                ServiceView web = service(agent);
                assertEquals(List.of(), web.announcedVips());
                assertEquals("no real is up: no answer", web.problem());
                assertEquals(0, web.reals().get(0).effectiveWeight());
                assertEquals(all ? "no service is frozen" : "web is not frozen", refused(agent, all ? "" : "web", all));
            }
        }
    }

    @Test
    void aServiceThatIsNotThereCannotBeMeant() throws Exception {
        try (RunningAgent agent = frozen()) {
            assertEquals("no service is named \"wbe\"", refused(agent, "wbe", false));
            assertTrue(service(agent).frozen());
        }
    }

    private static RunningAgent frozen() throws Exception {
        RunningAgent agent = new RunningAgent(CONFIG).up();
        agent.probes.all(HealthState.DOWN);
        agent.loop.want(CONFIG).get(10, TimeUnit.SECONDS);
        return agent;
    }

    private static ServiceView service(RunningAgent agent) {
        return agent.status().services().get(0);
    }

    private static HealthAcceptView accept(RunningAgent agent, String service, boolean all) throws Exception {
        return agent.control.acceptHealth(new HealthAcceptRequest(service, all)).get(10, TimeUnit.SECONDS);
    }

    private static String refused(RunningAgent agent, String service, boolean all) {
        ExecutionException failure = assertThrows(ExecutionException.class, () -> accept(agent, service, all));
        return failure.getCause() == null
                ? ""
                : String.valueOf(failure.getCause().getMessage());
    }

    /** The line of the metric. */
    private static String frozen(MetricsServer metrics) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + metrics.port() + "/metrics");
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return answer.body()
                .lines()
                .filter(line -> line.startsWith("l4lb_service_frozen"))
                .findFirst()
                .orElse(answer.body());
    }
}
