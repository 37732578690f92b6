// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Which number stands for which real of which service. A number is not given to another real while flows may name it:
 * new ones are taken first, and when all have been used, those that no flow names. For one thread.
 */
final class Numbers {
    private record Owner(int service, InetAddress address) {}

    private final int capacity;
    private final Map<Integer, RealValue> reals;
    private final Map<Owner, Integer> numbers = new HashMap<>();
    private int next;

    /**
     * Numbers, as the kernel has them.
     *
     * @param capacity how many there may be
     * @param reals by number, active and not
     */
    Numbers(int capacity, Map<Integer, RealValue> reals) {
        this.capacity = capacity;
        this.reals = new HashMap<>(reals);
        reals.forEach((number, real) -> {
            numbers.put(new Owner(real.service(), real.address()), number);
            next = Math.max(next, number + 1);
        });
    }

    Optional<RealValue> real(int number) {
        return Optional.ofNullable(reals.get(number));
    }

    /** All, by number. */
    Map<Integer, RealValue> reals() {
        return Map.copyOf(reals);
    }

    Optional<Integer> number(int service, InetAddress address) {
        return Optional.ofNullable(numbers.get(new Owner(service, address)));
    }

    /** Notes what was written to the kernel. */
    void put(int number, RealValue real) {
        RealValue previous = reals.put(number, real);
        if (previous != null) {
            numbers.remove(new Owner(previous.service(), previous.address()), number);
        }
        numbers.put(new Owner(real.service(), real.address()), number);
        next = Math.max(next, number + 1);
    }

    /**
     * The number of a real, or one that it may have.
     *
     * @param named asked only when all numbers have been used: those that flows name
     * @throws DataplaneException if every number is in use
     */
    int numberFor(int service, InetAddress address, Supplier<Set<Integer>> named) {
        Integer known = numbers.get(new Owner(service, address));
        if (known != null) {
            return known;
        }
        if (next < capacity) {
            return next++;
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
