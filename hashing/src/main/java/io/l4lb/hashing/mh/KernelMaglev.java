// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The table that the kernel's {@code mh} builds for a service, and what it chooses by it. Immutable.
 *
 * <p>Source: net/netfilter/ipvs/ip_vs_mh.c; compared with the kernel in KernelMaglevTest of the agent.
 */
public final class KernelMaglev {
    /** Slots of the table with {@code CONFIG_IP_VS_MH_TAB_INDEX=12}, the kernel's default and what Debian builds. */
    public static final int SIZE = 4093;
    /** Bits that a destination's turns have at most ({@code IP_VS_MH_TAB_BITS}). */
    private static final int TURN_BITS = 6;

    private final StandardProtocolFamily family;
    private final LookupTable table;

    private KernelMaglev(StandardProtocolFamily family, LookupTable table) {
        this.family = family;
        this.table = table;
    }

    /**
     * The table of a service.
     *
     * @param family the service's, which decides how addresses are hashed, destinations' too
     * @param destinations in the order of the kernel's list, which has those added last first. It is the order in which
     *     a dump names them
     * @throws IllegalArgumentException for more destinations than slots, which the kernel refuses, for an identity given
     *     twice, or for another family than IPv4 and IPv6
     */
    public static KernelMaglev of(StandardProtocolFamily family, List<MhDestination> destinations) {
        if (family != StandardProtocolFamily.INET && family != StandardProtocolFamily.INET6) {
            throw new IllegalArgumentException("no service is of family " + family);
        }
        if (destinations.size() > SIZE) {
            throw new IllegalArgumentException(destinations.size() + " destinations in a table of " + SIZE + " slots");
        }
        List<WeightedReal> reals = destinations.stream()
                .map(destination -> new WeightedReal(destination.identity(), destination.lastWeight()))
                .sorted(Comparator.comparing(WeightedReal::identity))
                .toList();
        Map<String, Integer> index = new HashMap<>();
        reals.forEach(real -> index.put(real.identity(), index.size()));
        int[] slots = populate(family, destinations);
        for (int slot = 0; slot < slots.length && slots[slot] != LookupTable.NO_REAL; slot++) {
            slots[slot] = index.getOrDefault(destinations.get(slots[slot]).identity(), LookupTable.NO_REAL);
        }
        return new KernelMaglev(family, LookupTable.of(reals, slots));
    }

    /** Who has which slot; weights are the destinations' last. */
    public LookupTable table() {
        return table;
    }

    /**
     * Where a new connection goes; empty: the kernel schedules it to nobody.
     *
     * @param client source address, or the destination of the quoted packet for an ICMP error
     * @param port source port with flag {@code mh-port}, else 0; 0 for protocols other than TCP, UDP and SCTP
     * @param available whether the real of that identity has a weight other than 0 now and is not overloaded
     * @param fallback whether the service has flag {@code mh-fallback}
     */
    public Optional<MhChoice> select(InetAddress client, int port, Predicate<String> available, boolean fallback) {
        int word = MhHash.fold(family, client);
        int own = MhHash.FIRST.of(word, port, 0, SIZE);
        if (table.slot(own) == LookupTable.NO_REAL) {
            return Optional.empty();
        }
        if (available.test(identity(own))) {
            return Optional.of(new MhChoice(identity(own), own, false));
        }
        for (int i = 0; fallback && i < SIZE; i++) {
            int slot = MhHash.FIRST.of(word, port, (own + i) % SIZE, SIZE);
            if (available.test(identity(slot))) {
                return Optional.of(new MhChoice(identity(slot), slot, true));
            }
        }
        return Optional.empty();
    }

    /** Either all slots name a real, or none does. */
    private String identity(int slot) {
        return table.reals().get(table.slot(slot)).identity();
    }

    /** The slots, as indices into {@code destinations}. */
    private static int[] populate(StandardProtocolFamily family, List<MhDestination> destinations) {
        int[] turns = turns(destinations);
        int[] next = new int[turns.length];
        int[] skip = new int[turns.length];
        for (int i = 0; i < turns.length; i++) {
            int word = MhHash.fold(family, destinations.get(i).address());
            int port = destinations.get(i).port();
            next[i] = MhHash.FIRST.of(word, port, 0, SIZE);
            skip[i] = MhHash.SECOND.of(word, port, 0, SIZE - 1) + 1;
        }
        int[] slots = new int[SIZE];
        Arrays.fill(slots, LookupTable.NO_REAL);
        int left = Arrays.stream(turns).anyMatch(count -> count > 0) ? SIZE : 0;
        while (left > 0) {
            for (int i = 0; i < turns.length; i++) {
                for (int turn = 0; turn < turns[i] && left > 0; turn++, left--) {
                    while (slots[next[i]] != LookupTable.NO_REAL) {
                        next[i] = (next[i] + skip[i]) % SIZE;
                    }
                    slots[next[i]] = i;
                }
            }
        }
        return slots;
    }

    /** How many slots each destination claims, one after the other, when it is its turn. */
    private static int[] turns(List<MhDestination> destinations) {
        int[] weights =
                destinations.stream().mapToInt(MhDestination::lastWeight).toArray();
        int divisor = Math.max(1, MhWeights.greatestCommonDivisor(weights));
        int most = Arrays.stream(weights).max().orElse(0) / divisor;
        int shift = Math.max(0, Integer.SIZE - Integer.numberOfLeadingZeros(most) - TURN_BITS);
        return Arrays.stream(weights)
                .map(weight -> weight == 0 ? 0 : Math.max(1, (weight / divisor) >> shift))
                .toArray();
    }
}
