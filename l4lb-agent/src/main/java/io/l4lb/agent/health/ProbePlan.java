// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.Check;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.HttpCheck;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.StatusRange;
import io.l4lb.healthcheck.TcpCheck;
import io.l4lb.healthcheck.Timing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Which probes the services need: one for each VIP on each real, marked so that it takes that real's tunnel. */
public final class ProbePlan {
    private ProbePlan() {}

    /**
     * All probes.
     *
     * @param mark of each real
     */
    public static List<ProbeTarget> targets(List<Service> services, ToIntFunction<InetAddress> mark) {
        List<ProbeTarget> targets = new ArrayList<>();
        for (Service service : services) {
            for (InetAddress vip : service.frontend().vips()) {
                for (Real real : service.reals()) {
                    targets.add(new ProbeTarget(
                            id(service.name(), vip, real.address()),
                            new InetSocketAddress(vip, service.frontend().port()),
                            mark.applyAsInt(real.address()),
                            check(service.healthCheck()),
                            timing(service.healthCheck())));
                }
            }
        }
        return targets;
    }

    /** The state of every real; one that was not probed yet is unknown. */
    public static Map<RealKey, RealHealth> realHealth(List<Service> services, HealthSnapshot snapshot) {
        Map<RealKey, RealHealth> states = new LinkedHashMap<>();
        for (Service service : services) {
            for (Real real : service.reals()) {
                Map<InetAddress, Health> checks = new LinkedHashMap<>();
                for (InetAddress vip : service.frontend().vips()) {
                    Health unknown = Health.start(timing(service.healthCheck()), HealthState.UNKNOWN, Instant.EPOCH);
                    checks.put(
                            vip,
                            snapshot.of(id(service.name(), vip, real.address())).orElse(unknown));
                }
                states.put(new RealKey(service.name(), real.address()), RealHealth.of(checks));
            }
        }
        return states;
    }

    /** The identity of a probe, which survives reloads. */
    public static String id(String service, InetAddress vip, InetAddress real) {
        return service + " " + vip.getHostAddress() + " " + real.getHostAddress();
    }

    private static Timing timing(HealthCheck check) {
        HealthCheck.Timing timing = check.timing();
        return new Timing(timing.interval(), timing.timeout(), timing.rise(), timing.fall());
    }

    private static Check check(HealthCheck check) {
        return switch (check.type()) {
            case TCP -> new TcpCheck();
            case HTTP -> new HttpCheck(check.path(), check.host(), StatusRange.SUCCESS_OR_REDIRECT);
        };
    }
}
