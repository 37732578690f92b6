// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import io.l4lb.hashing.Scheduler;
import java.util.List;
import java.util.Optional;

/**
 * What one scheduler makes of a set of reals.
 *
 * @param balance before any event
 * @param disruptions in the order of {@link Event}, without events that cannot happen: nobody leaves where nobody is, and
 *     two do not leave where one is
 */
public record SimulationResult(Scheduler scheduler, Balance balance, List<Disruption> disruptions) {
    public SimulationResult {
        disruptions = List.copyOf(disruptions);
    }

    /** What that event does; empty: it cannot happen. */
    public Optional<Disruption> disruption(Event event) {
        return disruptions.stream().filter(each -> each.event() == event).findFirst();
    }
}
