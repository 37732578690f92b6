// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.control.AddressRange;
import io.l4lb.agent.control.ControlApi;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.HealthRequest;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.health.RealKey;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.HealthView;
import io.l4lb.agent.status.ProbeView;
import io.l4lb.healthcheck.Health;
import io.l4lb.healthcheck.Probe;
import io.l4lb.healthcheck.Trace;
import io.l4lb.healthcheck.Verdict;
import java.net.InetAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Questions about the health of reals. Methods may be called from any thread and do not block. */
final class HealthAnswers {
    /** What is needed of the health monitor. */
    interface Probing {
        /** What is asked for the target of that id; empty: there is none. */
        Optional<Probe> probe(String id);

        /** Does a probe now, beside the schedule. */
        void probeNow(Probe probe, Trace trace, Consumer<Verdict> sink);
    }

    /** A real by a VIP that was asked for. */
    private record Asked(String service, RealKey key) {}

    private final ReconcileLoop loop;
    private final Probing probing;
    private final Clock clock;

    HealthAnswers(ReconcileLoop loop, Probing probing, Clock clock) {
        this.loop = loop;
        this.probing = probing;
        this.clock = clock;
    }

    /** What is known. */
    CompletableFuture<List<HealthView>> of(HealthRequest request) {
        // Refused on another thread: what that of the loop throws ends the agent.
        return loop.ask(Function.<Outcome>identity()).thenApply(outcome -> {
            List<HealthView> rows = new ArrayList<>();
            for (Asked asked : asked(outcome, request)) {
                Health health = outcome.reals().probed(asked.key);
                rows.add(HealthReport.view(
                        asked.service,
                        asked.key,
                        health,
                        outcome.reals().state(asked.key),
                        outcome.reals().reason(asked.key)));
            }
            return rows;
        });
    }

    /** One probe of each, now. */
    CompletableFuture<List<ProbeView>> probe(HealthRequest request) {
        return loop.ask(Function.<Outcome>identity()).thenCompose(outcome -> {
            List<Asked> all = asked(outcome, request);
            if (all.size() > ControlApi.MOST_PROBED) {
                throw ControlException.refused(all.size() + " probes are meant, more than " + ControlApi.MOST_PROBED
                        + ": name a service, a real or a VIP");
            }
            List<CompletableFuture<ProbeView>> probes =
                    all.stream().map(this::probeNow).toList();
            return CompletableFuture.allOf(probes.toArray(CompletableFuture<?>[]::new))
                    .thenApply(
                            done -> probes.stream().map(CompletableFuture::join).toList());
        });
    }

    private CompletableFuture<ProbeView> probeNow(Asked asked) {
        Probe probe = probing.probe(asked.key.probeId())
                .orElseThrow(() -> ControlException.refused(IpText.of(asked.key.real()) + " of " + asked.service
                        + " is in maintenance, or new: it is not probed"));
        CompletableFuture<ProbeView> view = new CompletableFuture<>();
        ProbeTrace trace = new ProbeTrace(clock);
        probing.probeNow(
                probe,
                trace,
                verdict -> view.complete(HealthReport.view(asked.service, asked.key, probe, verdict, trace.steps())));
        return view;
    }

    private static List<Asked> asked(Outcome outcome, HealthRequest request) {
        List<Asked> asked = new ArrayList<>();
        for (Service service : outcome.config().services()) {
            if (!request.service().isEmpty() && !request.service().equals(service.name())) {
                continue;
            }
            for (ServiceKey key : ServiceKey.allOf(service)) {
                for (Real real : service.reals()) {
                    if (fits(request.vip(), key.vip()) && fits(request.real(), real.address())) {
                        asked.add(new Asked(service.name(), new RealKey(key, real.address())));
                    }
                }
            }
        }
        if (asked.isEmpty()) {
            throw ControlException.refused("there is no such real: no service, VIP and real of the configuration fit");
        }
        return asked;
    }

    private static boolean fits(String wanted, InetAddress address) {
        return wanted.isEmpty() || AddressRange.parse(wanted).contains(address);
    }
}
