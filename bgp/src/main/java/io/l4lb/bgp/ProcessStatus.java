// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import org.jspecify.annotations.Nullable;

/**
 * The BGP process.
 *
 * @param pid 0 when none is known
 * @param starts how often this speaker has started it
 * @param problem the last thing that went wrong, such as how it ended; null: nothing
 */
public record ProcessStatus(
        State state, long pid, int starts, @Nullable String problem) {
    /** STARTING: it lives, and does not answer yet or any more. STOPPED: it does not live, or nobody knows. */
    public enum State {
        CONNECTED,
        STARTING,
        STOPPED
    }
}
