// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.MapCalls;
import java.util.Optional;

/** An array of 32-bit values, written and read as a whole. */
final class WordArray {
    private WordArray() {}

    static void write(BpfMap map, int[] values) {
        check(map, values.length);
        if (MapCalls.updateBatch(map.name(), map.descriptor().number(), values)) {
            return;
        }
        for (int i = 0; i < values.length; i++) {
            map.update(BpfMap.word(i), BpfMap.word(values[i]), UpdateMode.ANY);
        }
    }

    static int[] read(BpfMap map) {
        check(map, map.maxEntries());
        Optional<int[]> values =
                MapCalls.lookupBatch(map.name(), map.descriptor().number(), map.maxEntries());
        return values.isPresent() ? values.get() : readOneByOne(map);
    }

    private static int[] readOneByOne(BpfMap map) {
        int[] values = new int[map.maxEntries()];
        for (int i = 0; i < values.length; i++) {
            values[i] = map.lookup(BpfMap.word(i)).orElseThrow().getInt();
        }
        return values;
    }

    private static void check(BpfMap map, int count) {
        if (map.valueSize() != Integer.BYTES
                || map.keySize() != Integer.BYTES
                || map.layout().isPerCpu()) {
            throw new IllegalStateException("map " + map.name() + " is no array of 32-bit values");
        }
        if (count > map.maxEntries()) {
            throw new IllegalArgumentException(count + " values for the " + map.maxEntries() + " of map " + map.name());
        }
    }
}
