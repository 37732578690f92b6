// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;
import java.util.Optional;

/** The flow table. It may forget at any time, and may decline to remember, as beyond a rate of new flows. */
public interface FlowMemory {
    /** Where that flow went. */
    Optional<Remembered> recall(FlowKey flow);

    /** Remembers that flow, whatever was known of it. */
    void remember(FlowKey flow, Remembered real);

    /** Remembers nothing. */
    static FlowMemory none() {
        return new FlowMemory() {
            @Override
            public Optional<Remembered> recall(FlowKey flow) {
                return Optional.empty();
            }

            @Override
            public void remember(FlowKey flow, Remembered real) {}
        };
    }
}
