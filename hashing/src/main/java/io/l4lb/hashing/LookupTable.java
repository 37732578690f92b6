// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * M slots, each naming a real or nobody. Immutable.
 *
 * <p>Slots hold indices into {@link #reals()}, which says nothing outside of this object: an index changes when a real
 * joins. Tables are therefore compared and digested by identity.
 */
public final class LookupTable {
    /** What a slot holds that names nobody. */
    public static final int NO_REAL = -1;
    /** Slots of a table unless configured otherwise. */
    public static final int DEFAULT_SIZE = 65537;
    /** The largest number of slots. */
    public static final int MAX_SIZE = 5_000_011;

    /** Public and fixed: a digest is for comparing tables, it keeps no secret. Reads "l4lb table diges". */
    private static final HashSeed DIGEST_KEY = new HashSeed(0x6c346c6220746162L, 0x6c65206469676573L);

    /** The order of {@link #reals()}. */
    static final Comparator<WeightedReal> BY_IDENTITY = Comparator.comparing(WeightedReal::identity);

    private final List<WeightedReal> reals;
    private final int[] slots;
    private volatile @Nullable Long digest;

    private LookupTable(List<WeightedReal> reals, int[] slots) {
        this.reals = reals;
        this.slots = slots;
    }

    /**
     * A table that exists already, for example one read back from the kernel.
     *
     * @param reals sorted by identity, no identity twice
     * @param slots for each slot an index into {@code reals} or {@link #NO_REAL}; copied
     * @throws IllegalArgumentException if one of these does not hold, or there is no slot
     */
    public static LookupTable of(List<WeightedReal> reals, int[] slots) {
        if (slots.length == 0) {
            throw new IllegalArgumentException("a table needs slots");
        }
        for (int real : slots) {
            if (real < NO_REAL || real >= reals.size()) {
                throw new IllegalArgumentException("a slot names real " + real + " of " + reals.size());
            }
        }
        return ofOwn(reals, slots.clone());
    }

    /** The table of a scheduler, which has made the slots for it and keeps no hold of them. */
    static LookupTable ofOwn(List<WeightedReal> reals, int[] slots) {
        List<WeightedReal> ownReals = List.copyOf(reals);
        for (int i = 1; i < ownReals.size(); i++) {
            String before = ownReals.get(i - 1).identity();
            int order = before.compareTo(ownReals.get(i).identity());
            if (order >= 0) {
                throw new IllegalArgumentException(
                        order == 0 ? "real " + before + " is given twice" : "reals are not sorted after " + before);
            }
        }
        return new LookupTable(ownReals, slots);
    }

    /** Whether a scheduler can build a table of that many slots: a prime from 2 to {@link #MAX_SIZE}. */
    public static boolean isSize(int size) {
        if (size < 2 || size > MAX_SIZE) {
            return false;
        }
        for (int divisor = 2; divisor * divisor <= size; divisor++) {
            if (size % divisor == 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * The slot of a flow hash: its upper 32 bits scaled down to the size, which takes no division. The XDP program does
     * the same.
     */
    public static int slotOf(long hash, int size) {
        return (int) (((hash >>> 32) * size) >>> 32);
    }

    /** Number of slots. */
    public int size() {
        return slots.length;
    }

    /** The reals the table was built of, sorted by identity, those without slots too. */
    public List<WeightedReal> reals() {
        return reals;
    }

    /**
     * Who has a slot: an index into {@link #reals()}, or {@link #NO_REAL}.
     *
     * @throws IndexOutOfBoundsException unless {@code 0 <= index < size()}
     */
    public int slot(int index) {
        return slots[index];
    }

    /** All slots, a copy. */
    public int[] slots() {
        return slots.clone();
    }

    /** Identity of the real to which a new flow of that hash goes; empty when its slot names nobody. */
    public Optional<String> realOf(long hash) {
        int real = slots[slotOf(hash, slots.length)];
        return real == NO_REAL ? Optional.empty() : Optional.of(reals.get(real).identity());
    }

    /** How many slots each real has, in the order of {@link #reals()}. */
    public int[] slotsPerReal() {
        int[] counts = new int[reals.size()];
        for (int real : slots) {
            if (real != NO_REAL) {
                counts[real]++;
            }
        }
        return counts;
    }

    /** How many slots each real has, by identity; 0 for one without. */
    public Map<String, Integer> slotsByReal() {
        Map<String, Integer> slotsByReal = new LinkedHashMap<>();
        int[] counts = slotsPerReal();
        for (int i = 0; i < counts.length; i++) {
            slotsByReal.put(reals.get(i).identity(), counts[i]);
        }
        return slotsByReal;
    }

    /**
     * How many slots name another real (or name one where the other names nobody) than in the other table: the share of
     * new flows that would go elsewhere.
     *
     * @throws IllegalArgumentException if the other table has another size
     */
    public int moved(LookupTable other) {
        if (other.slots.length != slots.length) {
            throw new IllegalArgumentException(
                    "tables of " + slots.length + " and " + other.slots.length + " slots cannot be compared");
        }
        int[] otherIndex = new int[reals.size()];
        for (int i = 0; i < otherIndex.length; i++) {
            otherIndex[i] = Collections.binarySearch(other.reals, reals.get(i), BY_IDENTITY);
        }
        int moved = 0;
        for (int slot = 0; slot < slots.length; slot++) {
            int here = slots[slot];
            int there = other.slots[slot];
            boolean same = (here == NO_REAL || there == NO_REAL) ? here == there : otherIndex[here] == there;
            if (!same) {
                moved++;
            }
        }
        return moved;
    }

    /**
     * A 64-bit digest of which identity has which slot: the same on every director whose table sends the same hashes to
     * the same reals, however it numbers them, and whether or not it knows of further reals without slots.
     *
     * <p>SipHash-1-3 under a fixed public key over, little endian: the number of slots (4 bytes), the number of
     * identities that have slots (4), each of these sorted as in {@link #reals()} with its length in front (4) in UTF-8,
     * then for each slot the position of its identity among these (4), or -1.
     */
    public long digest() {
        Long known = digest;
        if (known == null) {
            known = computeDigest();
            digest = known;
        }
        return known;
    }

    private long computeDigest() {
        int[] counts = slotsPerReal();
        int[] position = new int[reals.size()];
        byte[][] names = new byte[reals.size()][];
        int named = 0;
        int bytes = Integer.BYTES * (2 + slots.length);
        for (int real = 0; real < counts.length; real++) {
            if (counts[real] > 0) {
                position[real] = named;
                names[named] = reals.get(real).identity().getBytes(StandardCharsets.UTF_8);
                bytes += Integer.BYTES + names[named].length;
                named++;
            }
        }
        ByteBuffer content = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        content.putInt(slots.length).putInt(named);
        for (int i = 0; i < named; i++) {
            content.putInt(names[i].length).put(names[i]);
        }
        for (int real : slots) {
            content.putInt(real == NO_REAL ? NO_REAL : position[real]);
        }
        return SipHash.hash13(DIGEST_KEY, content.array());
    }

    /** Equal when the reals, their weights and every slot are equal. */
    @Override
    public boolean equals(Object other) {
        return other instanceof LookupTable table && reals.equals(table.reals) && Arrays.equals(slots, table.slots);
    }

    @Override
    public int hashCode() {
        return 31 * reals.hashCode() + Arrays.hashCode(slots);
    }

    @Override
    public String toString() {
        return "LookupTable[" + slots.length + " slots, " + reals.size() + " reals]";
    }
}
