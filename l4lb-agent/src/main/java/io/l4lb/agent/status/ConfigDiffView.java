// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * What a reload would change.
 *
 * @param applicable whether it would apply what is here; false: a key is refused, or the main file is broken
 * @param problems each as {@code file:line: key: message}; what such a file defines stays as it is
 * @param services those that would be added, removed or changed, by name
 * @param tables of the VIPs of these services that are there before and after
 */
public record ConfigDiffView(
        boolean applicable, List<String> problems, List<ServiceChange> services, List<TableChange> tables) {
    public ConfigDiffView {
        problems = List.copyOf(problems);
        services = List.copyOf(services);
        tables = List.copyOf(tables);
    }

    /**
     * A service.
     *
     * @param change "added", "removed" or "changed"
     * @param keys that have other values; none of one that is added or removed
     */
    public record ServiceChange(String service, String change, List<KeyChange> keys) {
        public ServiceChange {
            keys = List.copyOf(keys);
        }
    }

    /**
     * A key.
     *
     * @param key as in the configuration; {@code reals[10.0.1.1].weight} of a real
     * @param before empty: nothing
     * @param after empty: nothing
     */
    public record KeyChange(String key, String before, String after) {}

    /**
     * The lookup table of a service at one VIP.
     *
     * @param service its name afterwards
     * @param key what packets are matched by: {@code tcp 192.0.2.10 port 80}
     * @param slotsBefore 0: there is no table
     * @param slotsAfter likewise
     * @param comparable whether the two have slots that stand for the same flows
     * @param moved slots that would name another real; if the two cannot be compared, all; -1: at least one of the two is no
     *     table, so that nobody can tell
     * @param digestBefore 16 hexadecimal digits; empty: there is no table
     * @param digestAfter likewise
     * @param note what else is to be known
     */
    public record TableChange(
            String service,
            String key,
            int slotsBefore,
            int slotsAfter,
            boolean comparable,
            int moved,
            String digestBefore,
            String digestAfter,
            String note) {}
}
