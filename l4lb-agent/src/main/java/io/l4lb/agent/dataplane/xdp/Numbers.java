// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Which number stands for which real of which service. A number is not given to another real while flows or fragments may name it:
 * new ones are taken first, and when all have been used, those that nothing names. For one thread.
 */
final class Numbers {
    private final int capacity;
    private final Map<Integer, RealValue> reals = new HashMap<>();
    private final Map<Integer, Map<InetAddress, Integer>> byService = new HashMap<>();
    private int next;

    /**
     * Numbers, as the kernel has them.
     *
     * @param capacity how many there may be
     * @param reals by number, active and not
     */
    Numbers(int capacity, Map<Integer, RealValue> reals) {
        this.capacity = capacity;
        reals.forEach(this::put);
    }

    Optional<RealValue> real(int number) {
        return Optional.ofNullable(reals.get(number));
    }

    /** All, by number. */
    Map<Integer, RealValue> reals() {
        return Collections.unmodifiableMap(reals);
    }

    /** Every number that has ever stood for a real is below this one. */
    int count() {
        return next;
    }

    /** The numbers of a service's reals, active and not. */
    Map<InetAddress, Integer> of(int service) {
        return Map.copyOf(byService.getOrDefault(service, Map.of()));
    }

    Optional<Integer> number(int service, InetAddress address) {
        return Optional.ofNullable(byService.getOrDefault(service, Map.of()).get(address));
    }

    /** The reals of a service to which remembered flows may go. */
    Set<InetAddress> active(int service) {
        Set<InetAddress> active = new HashSet<>();
        byService.getOrDefault(service, Map.of()).forEach((address, number) -> {
            if (real(number).map(RealValue::active).orElse(false)) {
                active.add(address);
            }
        });
        return active;
    }

    /** How packets travel to the active reals of a service. */
    Set<Forwarding> forwarding(int service) {
        Set<Forwarding> forwarding = new HashSet<>();
        byService.getOrDefault(service, Map.of()).values().forEach(number -> real(number)
                .filter(RealValue::active)
                .ifPresent(real -> forwarding.add(real.forwarding())));
        return forwarding;
    }

    /** The ids of all services that have, or had, a real. */
    Set<Integer> services() {
        Set<Integer> services = new HashSet<>();
        reals.values().forEach(real -> services.add(real.service()));
        return services;
    }

    /** Notes what is in the kernel. */
    void put(int number, RealValue real) {
        RealValue previous = reals.put(number, real);
        if (previous != null) {
            byService.getOrDefault(previous.service(), new HashMap<>()).remove(previous.address(), number);
        }
        byService.computeIfAbsent(real.service(), unused -> new HashMap<>()).put(real.address(), number);
        next = Math.max(next, number + 1);
    }

    /**
     * The number of a real, or one that it may have; it is taken by {@link #put}.
     *
     * @param named asked only when all numbers have been used: those that flows or fragments name
     * @throws DataplaneException if every number is in use
     */
    int numberFor(int service, InetAddress address, Supplier<Set<Integer>> named) {
        Optional<Integer> known = number(service, address);
        if (known.isPresent()) {
            return known.get();
        }
        if (next < capacity) {
            return next; // without a gap: the first number that is unused in the kernel ends them
        }
        Set<Integer> inUse = named.get();
        return reals.entrySet().stream()
                .filter(entry -> !entry.getValue().active() && !inUse.contains(entry.getKey()))
                .map(Map.Entry::getKey)
                .min(Integer::compare)
                .orElseThrow(() -> new DataplaneException("the map of reals is full: all " + capacity
                        + " numbers belong to reals or are named by flows"));
    }
}
