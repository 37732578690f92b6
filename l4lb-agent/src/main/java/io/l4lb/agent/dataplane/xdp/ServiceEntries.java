// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The map {@code services} of the balancer, and the generation by which every CPU knows whether what it found there before
 * still holds. Once a method has returned no packet that comes in then finds what was there before. For one thread.
 */
final class ServiceEntries {
    private final BpfMap services;
    private final BpfMap generation;
    private final Map<ServiceKey, ServiceValue> known = new LinkedHashMap<>();

    /** Begins a generation: whoever wrote before may have ended in between. */
    ServiceEntries(BpfMap services, BpfMap generation) {
        this.services = services;
        this.generation = generation;
        advance();
    }

    /** What is there, as it was last read or written; follows what is done here. */
    Map<ServiceKey, ServiceValue> known() {
        return Collections.unmodifiableMap(known);
    }

    /** Reads all of it from the kernel. If somebody else wrote there, no CPU goes on with what it found before. */
    void read() {
        Map<ServiceKey, ServiceValue> found = new LinkedHashMap<>();
        for (byte[] bytes : services.keys()) {
            Optional<ByteBuffer> value = services.lookup(ByteBuffer.wrap(bytes));
            KeyLayout.decode(bytes)
                    .ifPresent(key -> value.ifPresent(entry -> found.put(key, ServiceValue.decode(entry))));
        }
        if (!found.equals(known)) {
            advance();
            known.clear();
            known.putAll(found);
        }
    }

    void put(ServiceKey key, ServiceValue service) {
        services.update(KeyLayout.encode(key), service.encode(), UpdateMode.ANY);
        known.put(key, service);
        advance();
    }

    /** Takes away those that are there. */
    void remove(Collection<ServiceKey> keys) {
        try {
            for (ServiceKey key : keys) {
                services.delete(KeyLayout.encode(key));
                known.remove(key);
            }
        } finally {
            advance();
        }
    }

    /** Never 0, which says that nobody tells. */
    private void advance() {
        int current = generation.lookup(Word.encode(0)).map(Word::decode).orElse(0);
        generation.update(Word.encode(0), Word.encode(current == -1 ? 1 : current + 1), UpdateMode.ANY);
    }
}
