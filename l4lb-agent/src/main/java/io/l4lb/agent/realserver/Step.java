// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

/**
 * What happened to one thing.
 *
 * @param before the value that was found
 * @param after the value that it has now, or would have
 * @param detail why, where it failed
 */
public record Step(Outcome outcome, Item item, String before, String after, String detail) {
    /** What became of it. */
    public enum Outcome {
        /** It has the wanted value now. */
        CHANGED,
        /** It had the wanted value. */
        UNCHANGED,
        /** A change is taken back. */
        RESTORED,
        /** Somebody has changed it since: it is left alone. */
        LEFT,
        /** Ours, but others may have come to need it: it stays. */
        KEPT,
        /** It could not be changed. */
        FAILED
    }

    static Step of(Outcome outcome, Item item, String before, String after) {
        return new Step(outcome, item, before, after, "");
    }

    /** One line. */
    @Override
    public String toString() {
        return switch (outcome) {
            case CHANGED, RESTORED -> item + ": " + shown(before) + " -> " + shown(after);
            case UNCHANGED -> item + ": " + shown(after);
            case LEFT -> item + ": left as it is, " + shown(before) + "; somebody has changed it since";
            case KEPT -> item + ": stays, others may use it by now";
            case FAILED -> item + ": still " + shown(before) + ", not " + shown(after) + ": " + detail;
        };
    }

    private static String shown(String value) {
        return value.isEmpty() ? "absent" : value;
    }
}
