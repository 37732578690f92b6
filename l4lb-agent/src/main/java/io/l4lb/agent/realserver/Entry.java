// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

/**
 * What was done to one thing.
 *
 * @param before its value before the first setup; the same as {@code after} where it was right already, so not ours
 */
record Entry(Item item, String before, String after) {
    boolean isOurs() {
        return !before.equals(after);
    }

    Piece piece() {
        return new Piece(item, after);
    }
}
