// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a dataplane has counted since its maps were made.
 *
 * @param verdicts by the name of the verdict, in lower case with dashes; all that there are
 * @param notForwarded the same by service, of packets that went to no real; those that were never counted are left out
 * @param events all that it counts; one that is missing says nothing
 */
public record Statistics(
        Map<String, Counter> verdicts, Map<ServiceKey, Map<String, Counter>> notForwarded, Map<Event, Long> events) {
    public Statistics {
        verdicts = Collections.unmodifiableMap(new LinkedHashMap<>(verdicts));
        notForwarded = Map.copyOf(notForwarded);
        events = Collections.unmodifiableMap(new LinkedHashMap<>(events));
    }
}
