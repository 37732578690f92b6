// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.WeightedReal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** The reals that tables are built of: addresses in a row of /24 networks, all of one weight, as in the paper. */
final class Population {
    private static final int WEIGHT = 100;
    private static final int HOSTS = 250;

    private Population() {}

    /** That many reals, sorted by identity. */
    static List<WeightedReal> of(int count) {
        return IntStream.range(0, count)
                .mapToObj(real -> new WeightedReal("10.60." + real / HOSTS + "." + (1 + real % HOSTS), WEIGHT))
                .sorted(Comparator.comparing(WeightedReal::identity))
                .toList();
    }

    /** The same with the one at that place drained: weight 0. */
    static List<WeightedReal> drained(List<WeightedReal> reals, int place) {
        List<WeightedReal> changed = new ArrayList<>(reals);
        changed.set(place, new WeightedReal(reals.get(place).identity(), 0));
        return List.copyOf(changed);
    }

    /** The same without the one at that place. */
    static List<WeightedReal> without(List<WeightedReal> reals, int place) {
        List<WeightedReal> rest = new ArrayList<>(reals);
        rest.remove(place);
        return List.copyOf(rest);
    }
}
