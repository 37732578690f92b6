// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.realserver.Step.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * What was done to one thing.
 *
 * @param before its value before the first setup; the same as {@code after} where it was right already, so not ours
 */
record Entry(Item item, String before, String after) {
    boolean isOurs() {
        return !before.equals(after);
    }

    /** What undoing it means, by the value that it has now; empty where there is nothing to undo. */
    Optional<Step> undoing(String current) {
        if (!isOurs() || current.equals(before)) {
            return Optional.empty();
        }
        if (item.kind().staysForOthers()) {
            return Optional.of(Step.of(Outcome.KEPT, item, current, current));
        }
        return Optional.of(
                current.equals(after) || item.kind().isOursAlone()
                        ? Step.of(Outcome.RESTORED, item, current, before)
                        : Step.of(Outcome.LEFT, item, current, current));
    }

    /** The order of undoing. */
    static List<Entry> lastFirst(List<Entry> entries) {
        List<Entry> reversed = new ArrayList<>(entries);
        Collections.reverse(reversed);
        return reversed;
    }

    Piece piece() {
        return new Piece(item, after);
    }
}
