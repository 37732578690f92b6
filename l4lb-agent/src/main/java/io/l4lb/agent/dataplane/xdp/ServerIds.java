// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Which number of a real each server ID of a service names, in the balancer's map. For one thread. */
final class ServerIds {
    private final BpfMap map;
    private final Map<Integer, Map<ServerId, Integer>> byService = new HashMap<>();

    ServerIds(BpfMap map) {
        this.map = map;
    }

    /** Reads all of them from the kernel. */
    void read() {
        byService.clear();
        for (byte[] bytes : map.keys()) {
            ServerIdKey.decode(bytes).ifPresent(key -> map.lookup(ByteBuffer.wrap(bytes))
                    .ifPresent(value -> put(key, Word.decode(value))));
        }
    }

    private void put(ServerIdKey key, int number) {
        byService.computeIfAbsent(key.service(), unused -> new HashMap<>()).put(key.serverId(), number);
    }

    /** The numbers that the server IDs of a service name. */
    Map<ServerId, Integer> of(int service) {
        return Map.copyOf(byService.getOrDefault(service, Map.of()));
    }

    /** Writes those that are new or name another real now; the others stay. */
    void write(int service, Map<ServerId, Integer> wanted) {
        Map<ServerId, Integer> there = of(service);
        wanted.forEach((serverId, number) -> {
            if (!Objects.equals(there.get(serverId), number)) {
                ServerIdKey key = new ServerIdKey(service, serverId);
                if (!there.containsKey(serverId) && count() >= map.maxEntries()) {
                    throw new DataplaneException("the map of server IDs is full: " + map.maxEntries() + " of them");
                }
                map.update(key.encode(), Word.encode(number), UpdateMode.ANY);
                put(key, number);
            }
        });
    }

    private int count() {
        return byService.values().stream().mapToInt(Map::size).sum();
    }

    /** Takes away the others of that service. */
    void retain(int service, Set<ServerId> wanted) {
        for (ServerId serverId : of(service).keySet()) {
            if (!wanted.contains(serverId)) {
                map.delete(new ServerIdKey(service, serverId).encode());
                byService.getOrDefault(service, new HashMap<>()).remove(serverId);
            }
        }
    }
}
