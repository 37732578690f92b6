// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * What a service does when its reals fail.
 *
 * @param quorum the healthy reals that it needs to be announced
 * @param panic when failing reals are not believed any more
 * @param allDown what it does without a healthy real
 */
public record Availability(Quorum quorum, Panic panic, AllDown allDown) {
    public Availability {
        Objects.requireNonNull(quorum, "quorum");
        Objects.requireNonNull(panic, "panic");
        Objects.requireNonNull(allDown, "allDown");
    }

    /** The defaults. */
    public Availability(Quorum quorum) {
        this(quorum, Panic.DEFAULT, AllDown.WITHDRAW);
    }

    /**
     * When more than a share of the reals that were up fails within a window, what fails is more likely this director or its path to
     * them: the last good set goes on.
     *
     * @param share in percent of the reals that were up when the window began, 1 to 100; 100: never
     */
    public record Panic(int share, Duration window) {
        public static final Panic DEFAULT = new Panic(50, Duration.ofSeconds(30));

        /** Fewer reals than these fail on their own often enough. */
        public static final int LEAST_REALS = 3;

        public Panic {
            if (share < 1 || share > 100 || window.isNegative() || window.isZero()) {
                throw new IllegalArgumentException("panic at " + share + "% within " + window);
            }
        }
    }

    /**
     * What a service does that has no healthy real.
     *
     * @param sorry who gets its packets then; present exactly with {@link Policy#SORRY}
     */
    public record AllDown(Policy policy, Optional<Real> sorry) {
        public static final AllDown WITHDRAW = new AllDown(Policy.WITHDRAW, Optional.empty());

        public AllDown {
            if (sorry.isPresent() != (policy == Policy.SORRY)) {
                throw new IllegalArgumentException("a sorry real is for the policy sorry alone");
            }
        }
    }

    /** What can be done. */
    public enum Policy {
        /** Its VIPs are withdrawn. */
        WITHDRAW,
        /** All its reals get packets, as if they were up. */
        KEEP_ALL,
        /** A real that is not one of the service's gets its packets. */
        SORRY;

        /** As written in the configuration. */
        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
