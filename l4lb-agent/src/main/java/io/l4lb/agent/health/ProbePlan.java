// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
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
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Which probes the services need: one for each VIP on each real, marked so that it goes the way of that service's packets. */
public final class ProbePlan {
    private ProbePlan() {}

    /**
     * All probes.
     *
     * @param mark of each way to a real
     */
    public static List<ProbeTarget> targets(List<Service> services, ToIntFunction<ProbePath> mark) {
        List<ProbeTarget> targets = new ArrayList<>();
        for (Service service : services) {
            for (ServiceKey key : ServiceKey.allOf(service)) {
                for (Real real : service.reals()) {
                    targets.add(new ProbeTarget(
                            new RealKey(key, real.address()).probeId(),
                            new InetSocketAddress(
                                    key.vip(), service.healthCheck().port()),
                            mark.applyAsInt(path(service, real)),
                            check(service.healthCheck()),
                            timing(service.healthCheck())));
                }
            }
        }
        return targets;
    }

    /** The state of every real by every VIP; one that was not probed yet is unknown. */
    public static Map<RealKey, Health> states(List<Service> services, HealthSnapshot snapshot) {
        Map<RealKey, Health> states = new LinkedHashMap<>();
        for (Service service : services) {
            Health unknown = Health.start(timing(service.healthCheck()), HealthState.UNKNOWN, Instant.EPOCH);
            for (ServiceKey key : ServiceKey.allOf(service)) {
                for (Real real : service.reals()) {
                    RealKey realKey = new RealKey(key, real.address());
                    states.put(realKey, snapshot.of(realKey.probeId()).orElse(unknown));
                }
            }
        }
        return states;
    }

    /** All ways that probes of these services go. */
    public static Set<ProbePath> paths(List<Service> services) {
        Set<ProbePath> paths = new LinkedHashSet<>();
        services.forEach(service -> service.reals().forEach(real -> paths.add(path(service, real))));
        return paths;
    }

    private static ProbePath path(Service service, Real real) {
        return new ProbePath(real.address(), service.balancing().forwarding());
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
