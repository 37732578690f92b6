// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.BitSet;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class PermutationTest {
    @Property(tries = 200)
    void visitsEverySlotOnce(@ForAll String identity, @ForAll("sizes") int size, @ForAll long k0, @ForAll long k1) {
        Permutation permutation = Permutation.of(identity, size, new HashSeed(k0, k1));
        BitSet visited = new BitSet(size);
        int slot = permutation.offset();
        for (int rank = 0; rank < size; rank++) {
            visited.set(slot);
            slot = permutation.after(slot);
        }
        assertEquals(size, visited.cardinality());
        assertEquals(permutation.offset(), slot);
    }

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.of(2, 3, 5, 7, 11, 251, 4093, 65537);
    }

    @Test
    void dependsOnIdentityAndSeed() {
        Permutation permutation = Permutation.of("a", 65537, new HashSeed(1, 2));
        assertEquals(permutation, Permutation.of("a", 65537, new HashSeed(1, 2)));
        assertNotEquals(permutation, Permutation.of("b", 65537, new HashSeed(1, 2)));
        assertNotEquals(permutation, Permutation.of("a", 65537, new HashSeed(1, 3)));
    }

    @Test
    void doesNotOverflowAtTheLargestSize() {
        Permutation permutation =
                new Permutation(LookupTable.MAX_SIZE - 1, LookupTable.MAX_SIZE - 1, LookupTable.MAX_SIZE);
        assertEquals(LookupTable.MAX_SIZE - 2, permutation.after(permutation.offset()));
    }
}
