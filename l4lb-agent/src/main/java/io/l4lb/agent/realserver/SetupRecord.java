// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What was set up, and how it was before. Not thread-safe.
 */
final class SetupRecord {
    private final Map<Item, Entry> entries = new LinkedHashMap<>();
    private SetupRequest request;

    /** @param request with its method and interface settled */
    SetupRecord(SetupRequest request, Collection<Entry> entries) {
        this.request = request;
        entries.forEach(this::put);
    }

    SetupRequest request() {
        return request;
    }

    void replaceRequest(SetupRequest wanted) {
        request = wanted;
    }

    /** In the order in which they were made. */
    List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    Optional<Entry> find(Item item) {
        return Optional.ofNullable(entries.get(item));
    }

    /** Addresses and other things that would not be there without us. */
    Set<Item> items() {
        return Set.copyOf(entries.keySet());
    }

    void put(Entry entry) {
        entries.put(entry.item(), entry);
    }

    void remove(Item item) {
        entries.remove(item);
    }
}
