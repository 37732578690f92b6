// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static io.l4lb.hashing.LookupTable.NO_REAL;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class LookupTableTest {
    private static final WeightedReal A = new WeightedReal("a", 1);
    private static final WeightedReal B = new WeightedReal("b", 1);
    private static final WeightedReal C = new WeightedReal("c", 0);

    @Property
    void slotOfScalesTheUpperHalfOfTheHash(@ForAll long hash, @ForAll @IntRange(min = 1, max = 5_000_011) int size) {
        BigInteger upper = BigInteger.valueOf(hash >>> 32);
        int expected = upper.multiply(BigInteger.valueOf(size)).shiftRight(32).intValueExact();
        int slot = LookupTable.slotOf(hash, size);
        assertEquals(expected, slot);
        assertTrue(slot >= 0 && slot < size);
    }

    @Test
    void slotOfGolden() {
        assertEquals(43948, LookupTable.slotOf(0xabac0158050fc4dcL, 65537));
        assertEquals(0, LookupTable.slotOf(0x00000000ffffffffL, 65537));
        assertEquals(65536, LookupTable.slotOf(-1, 65537));
    }

    @Test
    void namesTheRealOfAHash() {
        LookupTable table = LookupTable.of(List.of(A, B), new int[] {1, NO_REAL, 0});
        assertEquals(Optional.of("b"), table.realOf(0));
        assertEquals(Optional.empty(), table.realOf(0x8000000000000000L));
        assertEquals(Optional.of("a"), table.realOf(-1));
    }

    @Test
    void countsSlots() {
        LookupTable table = LookupTable.of(List.of(A, B, C), new int[] {1, NO_REAL, 0, 1});
        assertArrayEquals(new int[] {1, 2, 0}, table.slotsPerReal());
        assertEquals(4, table.size());
        assertEquals(NO_REAL, table.slot(1));
        assertEquals(List.of(A, B, C), table.reals());
    }

    @Test
    void keepsItsSlotsToItself() {
        int[] given = {0, 1};
        LookupTable table = LookupTable.of(List.of(A, B), given);
        given[0] = 1;
        table.slots()[0] = 1;
        assertArrayEquals(new int[] {0, 1}, table.slots());
    }

    @Test
    void refusesWhatIsNoTable() {
        assertThrows(IllegalArgumentException.class, () -> LookupTable.of(List.of(A), new int[0]));
        assertThrows(IllegalArgumentException.class, () -> LookupTable.of(List.of(A), new int[] {1}));
        assertThrows(IllegalArgumentException.class, () -> LookupTable.of(List.of(A), new int[] {-2}));
        assertThrows(IllegalArgumentException.class, () -> LookupTable.of(List.of(B, A), new int[] {0}));
        assertThrows(IllegalArgumentException.class, () -> LookupTable.of(List.of(A, A), new int[] {0}));
    }

    @Test
    void movedComparesIdentities() {
        LookupTable one = LookupTable.of(List.of(A, B), new int[] {0, 1, NO_REAL, 0, NO_REAL});
        LookupTable other = LookupTable.of(List.of(B, C), new int[] {0, 0, 1, NO_REAL, NO_REAL});
        assertEquals(3, one.moved(other));
        assertEquals(3, other.moved(one));
        assertEquals(0, one.moved(one));
        LookupTable smaller = LookupTable.of(List.of(A), new int[] {0});
        assertThrows(IllegalArgumentException.class, () -> one.moved(smaller));
    }

    @Test
    void digestDoesNotDependOnNumbers() {
        LookupTable three = LookupTable.of(List.of(A, B, C), new int[] {1, NO_REAL, 1});
        LookupTable one = LookupTable.of(List.of(new WeightedReal("b", 7)), new int[] {0, NO_REAL, 0});
        assertEquals(three.digest(), one.digest());
        assertNotEquals(three, one);
    }

    @Test
    void digestTellsTablesApart() {
        long digest = LookupTable.of(List.of(A, B), new int[] {0, 1, 0}).digest();
        assertNotEquals(
                digest, LookupTable.of(List.of(A, B), new int[] {1, 0, 0}).digest());
        assertNotEquals(
                digest, LookupTable.of(List.of(B, C), new int[] {0, 1, 0}).digest());
        assertNotEquals(
                digest, LookupTable.of(List.of(A, B), new int[] {0, 1, NO_REAL}).digest());
        assertNotEquals(
                digest, LookupTable.of(List.of(A, B), new int[] {0, 1, 0, 0}).digest());
        LookupTable same = LookupTable.of(List.of(A, B), new int[] {0, 1, 0});
        assertEquals(digest, same.digest());
    }

    @Test
    void equalsComparesRealsAndSlots() {
        LookupTable table = LookupTable.of(List.of(A, B), new int[] {0, 1});
        LookupTable same = LookupTable.of(List.of(A, B), new int[] {0, 1});
        assertEquals(table, same);
        assertEquals(table.hashCode(), same.hashCode());
        assertNotEquals(table, LookupTable.of(List.of(A, B), new int[] {1, 1}));
        assertNotEquals(table, LookupTable.of(List.of(A, new WeightedReal("b", 2)), new int[] {0, 1}));
    }

    @Test
    void sizesArePrimes() {
        for (int size : new int[] {2, 3, 5, 7, 251, 4093, 65537, 655373, LookupTable.MAX_SIZE}) {
            assertTrue(LookupTable.isSize(size), () -> size + " is a prime");
        }
        for (int size : new int[] {Integer.MIN_VALUE, -3, 0, 1, 4, 9, 65535, 65536, 64009, 5_000_012, 5_000_077}) {
            assertFalse(LookupTable.isSize(size), () -> size + " is no size");
        }
    }
}
