// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.config.ConfigDiff;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.control.HealthAcceptRequest;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.reconcile.Reconciler;
import io.l4lb.agent.status.HealthAcceptView;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** An operator's word that it is not the director's fault that reals have failed. May be given on any thread. */
final class Acceptance {
    private final ReconcileLoop loop;

    Acceptance(ReconcileLoop loop) {
        this.loop = loop;
    }

    CompletableFuture<HealthAcceptView> of(HealthAcceptRequest request) {
        Config config = loop.config();
        if (request.all()) {
            return loop.tell(Reconciler::acceptAll).thenApply(ended -> view(config, ended, "no service is frozen"));
        }
        Optional<Service> service =
                Optional.ofNullable(ConfigDiff.byName(config).get(request.service()));
        if (service.isEmpty()) {
            return CompletableFuture.failedFuture(
                    ControlException.refused("no service is named \"" + request.service() + "\""));
        }
        Set<ServiceKey> keys = Set.copyOf(ServiceKey.allOf(service.get()));
        return loop.tell(reconciler -> reconciler.accept(keys))
                .thenApply(ended -> view(config, ended, request.service() + " is not frozen"));
    }

    private static HealthAcceptView view(Config config, Set<ServiceKey> ended, String otherwise) {
        List<String> names = config.services().stream()
                .filter(service -> ServiceKey.allOf(service).stream().anyMatch(ended::contains))
                .map(Service::name)
                .sorted()
                .toList();
        if (names.isEmpty()) {
            throw ControlException.refused(otherwise);
        }
        return new HealthAcceptView(names);
    }
}
