// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

/**
 * The slots that a {@link Race} has left: each walks over the table at a stride of its own and takes the holder of the
 * slot where it stands, if that real has room; otherwise it walks on. All make one step at a time, in the order of slots.
 *
 * <p>A slot met by such a walk is a given real's with a probability in proportion to what the real holds, hence to its
 * weight. A walk visits every slot because the number of slots is prime; it ends because every real holds a slot, and
 * some real has room.
 */
final class Leftovers {
    /** A given slot holds this minus its real: less than {@link Race#FREE}. */
    private static final int GIVEN = Race.FREE - 1;

    private final int[] holders;
    private final int size;
    /** The slots that were left at first. */
    private final int[] open;
    /** Of each slot that is left: which it is, where it stands, how far it steps. */
    private final int[] slots;

    private final int[] positions;
    private final int[] strides;
    private int left;

    /**
     * Those of a table.
     *
     * @param holders the table, with {@link Race#FREE} where it is left open; completed in place
     * @param free how many of these there are
     */
    Leftovers(int[] holders, int free, HashSeed seed) {
        this.holders = holders;
        size = holders.length;
        slots = new int[free];
        positions = new int[free];
        strides = new int[free];
        for (int slot = 0; slot < size; slot++) {
            if (holders[slot] == Race.FREE) {
                slots[left] = slot;
                positions[left] = slot;
                strides[left] = 1 + LookupTable.slotOf(SipHash.hash13(seed, slot), size - 1);
                left++;
            }
        }
        open = slots.clone();
    }

    /**
     * Gives them all away.
     *
     * @param room for each real how many slots more it may have; together at least as many as are left
     * @return the table, whole
     */
    int[] giveAway(int[] room) {
        while (left > 0) {
            int walking = left;
            left = 0;
            for (int i = 0; i < walking; i++) {
                int position = Permutation.after(positions[i], strides[i], size);
                int real = holders[position];
                if (real >= 0 && room[real] > 0) {
                    room[real]--;
                    holders[slots[i]] = GIVEN - real;
                } else {
                    keepWalking(i, position);
                }
            }
        }
        for (int slot : open) {
            holders[slot] = GIVEN - holders[slot];
        }
        return holders;
    }

    private void keepWalking(int index, int position) {
        slots[left] = slots[index];
        positions[left] = position;
        strides[left] = strides[index];
        left++;
    }
}
