// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.Real;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A lookup table in the kernel's terms, slots that hold numbers of reals, translated to and from identities. */
final class Slots {
    /** {@code L4LB_NO_REAL}: a slot that names nobody. */
    static final int NO_REAL = -1;

    private final int[] numbers;

    /**
     * Slots.
     *
     * @param numbers one a slot, not copied; a number that stands for no real is as good as {@link #NO_REAL}
     */
    Slots(int[] numbers) {
        this.numbers = numbers;
    }

    /** One a slot; not a copy. */
    int[] numbers() {
        return numbers;
    }

    /**
     * The slots of a table.
     *
     * @param numberOf by identity; a real that is left out gets no slot
     */
    static Slots of(LookupTable table, Map<String, Integer> numberOf) {
        int[] ofReal = table.reals().stream()
                .mapToInt(real -> numberOf.getOrDefault(real.identity(), NO_REAL))
                .toArray();
        int[] numbers = new int[table.size()];
        for (int i = 0; i < numbers.length; i++) {
            int real = table.slot(i);
            numbers[i] = real == LookupTable.NO_REAL ? NO_REAL : ofReal[real];
        }
        return new Slots(numbers);
    }

    /** The table that these slots are. */
    LookupTable table(Numbers known) {
        TreeMap<String, Integer> positions = new TreeMap<>();
        Map<Integer, String> identities = new HashMap<>();
        for (int number : distinct(known.count())) {
            known.real(number).ifPresent(real -> {
                String identity = Real.identity(real.address());
                identities.put(number, identity);
                positions.put(identity, 0);
            });
        }
        List<WeightedReal> reals = new ArrayList<>();
        for (Map.Entry<String, Integer> entry : positions.entrySet()) {
            entry.setValue(reals.size());
            reals.add(new WeightedReal(entry.getKey(), 1));
        }
        int[] positionOf = new int[known.count()];
        Arrays.fill(positionOf, NO_REAL);
        identities.forEach((number, identity) -> positionOf[number] = positions.getOrDefault(identity, NO_REAL));
        int[] named = new int[numbers.length];
        for (int i = 0; i < named.length; i++) {
            boolean names = numbers[i] >= 0 && numbers[i] < positionOf.length;
            named[i] = names ? positionOf[numbers[i]] : NO_REAL;
        }
        return LookupTable.of(reals, named);
    }

    private List<Integer> distinct(int count) {
        boolean[] seen = new boolean[count];
        List<Integer> distinct = new ArrayList<>();
        for (int number : numbers) {
            if (number >= 0 && number < count && !seen[number]) {
                seen[number] = true;
                distinct.add(number);
            }
        }
        return distinct;
    }

    /** How many slots name each real. */
    Map<InetAddress, Integer> perReal(Numbers known) {
        int[] count = new int[known.count()];
        for (int number : numbers) {
            if (number >= 0 && number < count.length) {
                count[number]++;
            }
        }
        Map<InetAddress, Integer> slots = new HashMap<>();
        for (int number = 0; number < count.length; number++) {
            int slotsOfReal = count[number];
            if (slotsOfReal > 0) {
                known.real(number).ifPresent(real -> slots.merge(real.address(), slotsOfReal, Integer::sum));
            }
        }
        return slots;
    }
}
