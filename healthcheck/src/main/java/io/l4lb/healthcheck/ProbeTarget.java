// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.util.Objects;

/**
 * Somebody who wants to know of a real: the probe that tells, and what its verdicts lead to.
 *
 * @param id the stable identity; health is carried by it over every change of the other fields
 */
public record ProbeTarget(String id, Probe probe, Timing timing) {
    public ProbeTarget {
        Objects.requireNonNull(probe, "probe");
        Objects.requireNonNull(timing, "timing");
        if (id.isBlank()) {
            throw new IllegalArgumentException("a probe target needs an id");
        }
    }
}
