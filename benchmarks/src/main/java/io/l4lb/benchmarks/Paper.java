// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks;

import io.l4lb.hashing.Scheduler;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What others measured: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI 2016,
 * section 5.3 "Consistent Hashing": 1000 backends, tables of 65537 and 655373.
 *
 * <p>Of Maglev's balance the text says "almost perfect", without a number. What Maglev moves when backends fail is in
 * figure 12 alone, a plot without numbers, which are not guessed here; instead the paper's algorithm is measured
 * beside ours ({@link TurnTaking}). Where the paper has no number there is null here.
 */
final class Paper {
    static final String SOURCE = "Maglev paper (NSDI 2016), section 5.3";
    /** How many reals its figures are of. */
    static final int REALS = 1000;

    static final int SMALL = 65537;
    static final int LARGE = 655373;
    /** Both table sizes. */
    static final List<Integer> SIZES = List.of(SMALL, LARGE);

    private Paper() {}

    /** Milliseconds that one table takes Maglev. */
    static @Nullable Double buildMillis(String scheduler, int reals, int slots) {
        boolean measured = method(scheduler).equals("maglev") && reals == REALS;
        return measured ? bySize(slots, 1.8, 22.9) : null;
    }

    /** By how many per cent backends have to be larger than the average because the largest share is. */
    static @Nullable Double overProvisioning(String scheduler, int reals, int slots) {
        if (reals != REALS) {
            return null;
        }
        return switch (method(scheduler)) {
            case "karger" -> bySize(slots, 29.7, 10.3);
            case "rendezvous" -> bySize(slots, 49.5, 12.3);
            default -> null;
        };
    }

    /** Slots that one backend's leaving moves beyond its own: none, "both Karger and Rendezvous guarantee". */
    static @Nullable Double movedBeyondOwn(String scheduler) {
        return switch (method(scheduler)) {
            case "karger", "rendezvous" -> 0.0;
            default -> null;
        };
    }

    private static @Nullable Double bySize(int slots, double small, double large) {
        return switch (slots) {
            case SMALL -> small;
            case LARGE -> large;
            default -> null;
        };
    }

    /** The paper's word for the way of a {@link Scheduler}, or of the baseline; empty for one that it has not. */
    private static String method(String scheduler) {
        return switch (scheduler.toLowerCase(Locale.ROOT)) {
            case "maglev", Subject.BASELINE -> "maglev";
            case "ketama" -> "karger"; // points on a ring
            case "rendezvous" -> "rendezvous";
            default -> "";
        };
    }
}
