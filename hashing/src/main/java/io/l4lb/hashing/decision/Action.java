// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/** What becomes of a frame. */
public enum Action {
    /** Goes on to the host's own network stack, untouched. */
    PASS,
    /** Goes nowhere. */
    DROP,
    /** Leaves, changed, through the interface it came in by. */
    TRANSMIT
}
