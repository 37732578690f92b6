// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The latest verdicts, oldest first; those that say the same in a row are one entry. */
public record History(List<Entry> entries) {
    /** How many entries are kept. */
    public static final int LENGTH = 16;

    public static final History EMPTY = new History(List.of());

    /**
     * Verdicts in a row that say the same.
     *
     * @param state of the target after the last of them
     */
    public record Entry(
            Instant first, Instant last, int count, Verdict.Outcome outcome, String reason, HealthState state) {}

    public History {
        entries = List.copyOf(entries);
    }

    public History with(Verdict verdict, HealthState state, Instant at) {
        List<Entry> next = new ArrayList<>(entries);
        int newest = next.size() - 1;
        if (newest >= 0
                && next.get(newest).outcome() == verdict.outcome()
                && next.get(newest).reason().equals(verdict.reason())
                && next.get(newest).state() == state) {
            Entry entry = next.get(newest);
            next.set(newest, new Entry(entry.first(), at, entry.count() + 1, entry.outcome(), entry.reason(), state));
        } else {
            if (next.size() == LENGTH) {
                next.remove(0);
            }
            next.add(new Entry(at, at, 1, verdict.outcome(), verdict.reason(), state));
        }
        return new History(next);
    }
}
