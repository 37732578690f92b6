// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.control.HealthRequest;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.status.HealthView;
import io.l4lb.agent.status.ProbeView;
import io.l4lb.healthcheck.HealthState;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class HealthAnswersTest {
    private static final Config CONFIG = config(web(real(ONE, 100), real(TWO, 100)));

    @Test
    void everyRealIsShownByEveryVip() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            agent.probes.set(VIP4, TWO, HealthState.DOWN);
            agent.loop.want(CONFIG).get(10, TimeUnit.SECONDS);
            List<HealthView> rows = health(agent, "", "", "");
            assertEquals(
                    List.of(
                            "web 192.0.2.10 10.0.1.1 up",
                            "web 192.0.2.10 10.0.1.2 down",
                            "web 2001:db8::10 10.0.1.1 up",
                            "web 2001:db8::10 10.0.1.2 up"),
                    rows.stream()
                            .map(row -> row.service() + " " + row.vip() + " " + row.real() + " " + row.state())
                            .toList());
        }
    }

    @Test
    void thoseThatAreAskedForAreShown() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            assertEquals(2, health(agent, "web", "10.0.1.1", "").size());
            assertEquals(1, health(agent, "web", "10.0.1.1", "2001:db8:0::10").size());
            assertEquals(2, health(agent, "", "", "192.0.2.10").size());
            ExecutionException refused = assertThrows(ExecutionException.class, () -> health(agent, "wbe", "", ""));
            assertTrue(String.valueOf(refused.getMessage()).contains("there is no such real"), refused.toString());
        }
    }

    @Test
    void aProbeIsDoneAndTold() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            List<ProbeView> probes = agent.control
                    .probe(new HealthRequest("web", "", "192.0.2.10"))
                    .get(10, TimeUnit.SECONDS);
            assertEquals(2, probes.size());
            ProbeView good = probes.get(0);
            assertEquals("192.0.2.10 port 80", good.destination());
            assertEquals("success", good.outcome());
            assertEquals("connected", good.reason());
            assertEquals(2, good.latencyMillis());
            assertEquals(
                    "SYN sent through tunnel to 10.0.1.1", good.steps().get(0).step());
            assertEquals("failure", probes.get(1).outcome());
            assertEquals(
                    "up", health(agent, "web", "10.0.1.2", "192.0.2.10").get(0).state(), "it has no effect");
        }
    }

    @Test
    void tooManyAreNotProbedAtOnce() throws Exception {
        List<Real> reals = new ArrayList<>();
        for (int i = 1; i <= 40; i++) {
            reals.add(real(ip("10.0.1." + i), 100));
        }
        try (RunningAgent agent = new RunningAgent(config(web(reals.toArray(Real[]::new)))).up()) {
            ExecutionException refused = assertThrows(
                    ExecutionException.class,
                    () -> agent.control.probe(new HealthRequest("", "", "")).get(10, TimeUnit.SECONDS));
            assertTrue(
                    String.valueOf(refused.getMessage()).contains("80 probes are meant, more than 64"),
                    refused.toString());
        }
    }

    private static List<HealthView> health(RunningAgent agent, String service, String real, String vip)
            throws Exception {
        return agent.control.health(new HealthRequest(service, real, vip)).get(10, TimeUnit.SECONDS);
    }
}
