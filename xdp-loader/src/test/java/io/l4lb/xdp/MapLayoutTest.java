// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What the kernel makes of a layout. */
class MapLayoutTest {
    private static int entries(int type, int entries, int flags, int cpus) {
        return new MapLayout(type, 4, 4, entries, flags).asCreated(cpus).maxEntries();
    }

    @Test
    void listsOfTheirOwnDivideTheEntries() {
        assertEquals(1002, entries(MapLayout.LRU_HASH, 1000, MapLayout.NO_COMMON_LRU, 6));
        assertEquals(996, entries(MapLayout.LRU_PERCPU_HASH, 996, MapLayout.NO_COMMON_LRU, 6));
        int largest = Integer.MAX_VALUE - Integer.MAX_VALUE % 6;
        assertEquals(largest, entries(MapLayout.LRU_HASH, Integer.MAX_VALUE, MapLayout.NO_COMMON_LRU, 6));
    }

    @Test
    void otherMapsHaveWhatIsAskedFor() {
        assertEquals(1000, entries(MapLayout.LRU_HASH, 1000, 0, 6));
        assertEquals(1000, entries(MapLayout.PERCPU_HASH, 1000, MapLayout.NO_COMMON_LRU, 6));
    }
}
