// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

import io.l4lb.hashing.WeightedReal;

/**
 * What one real has of a table.
 *
 * @param slots it has
 * @param share it is due: the table's slots by weight, not rounded
 */
public record Holding(WeightedReal real, int slots, double share) {
    /**
     * The slots in relation to the share: 1 when the real has what it is due.
     *
     * <p>A share below one slot counts as one slot. No table has less to give, so that a real that is due a tenth of a
     * slot and has one does not look ten times overloaded.
     */
    public double ratio() {
        return slots / Math.max(share, 1);
    }
}
