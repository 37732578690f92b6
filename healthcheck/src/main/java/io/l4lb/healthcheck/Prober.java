// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.util.function.Consumer;

/** Does one probe. Called on the health thread, and must not block it. */
@FunctionalInterface
public interface Prober {
    /**
     * Starts a probe. Exactly one verdict follows, on the health thread, at the latest when its timeout is over; it may come before
     * this method returns. A probe that cannot be started is a verdict, not an exception.
     */
    void probe(Probe probe, Trace trace, Consumer<Verdict> sink);
}
