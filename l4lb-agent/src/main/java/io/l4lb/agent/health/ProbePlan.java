// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.health;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.HealthSnapshot;
import io.l4lb.healthcheck.HealthState;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.ProbeTarget;
import io.l4lb.healthcheck.Route;
import io.l4lb.healthcheck.check.IcmpCheck;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Which probes the services need: one for each VIP on each real, marked so that it goes the way of that service's packets, or straight to the real. */
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
                    if (real.maintenance()) {
                        continue;
                    }
                    targets.add(new ProbeTarget(
                            new RealKey(key, real.address()).probeId(),
                            probe(service.healthCheck(), key, real, mark, path(service, real)),
                            service.healthCheck().timing()));
                }
            }
        }
        return targets;
    }

    /** The state of every real by every VIP; one that was not probed yet is unknown, one in maintenance down. */
    public static Map<RealKey, Health> states(List<Service> services, HealthSnapshot snapshot) {
        Map<RealKey, Health> states = new LinkedHashMap<>();
        for (Service service : services) {
            Health unknown = Health.start(service.healthCheck().timing(), HealthState.UNKNOWN, Instant.EPOCH);
            Health maintenance = Health.restored(
                    service.healthCheck().timing(), HealthState.DOWN, Instant.EPOCH, 0, "in maintenance");
            for (ServiceKey key : ServiceKey.allOf(service)) {
                for (Real real : service.reals()) {
                    RealKey realKey = new RealKey(key, real.address());
                    states.put(
                            realKey,
                            real.maintenance()
                                    ? maintenance
                                    : snapshot.of(realKey.probeId()).orElse(unknown));
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

    /** Through the tunnel to the VIP; directly to the real it is the same for all VIPs, and for all services that ask the same. */
    private static Probe probe(
            HealthCheck check, ServiceKey key, Real real, ToIntFunction<ProbePath> mark, ProbePath path) {
        int port = check.way().port();
        int packetSize = check.way().packetSize();
        if (check.way().via() == HealthCheck.Via.TUNNEL) {
            return new Probe(
                    new InetSocketAddress(key.vip(), port),
                    new Route(real.address(), mark.applyAsInt(path), packetSize),
                    check.check(),
                    check.timeout());
        }
        InetAddress address = real.checkAt().address().orElse(real.address());
        int at = check.check() instanceof IcmpCheck ? 0 : real.checkAt().port().orElse(port);
        return new Probe(
                new InetSocketAddress(address, at),
                new Route(real.address(), 0, packetSize),
                check.check(),
                check.timeout());
    }
}
