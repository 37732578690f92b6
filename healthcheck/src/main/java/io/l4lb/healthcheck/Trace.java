// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

/** Hears of each step of one probe: packets as far as a socket sees them, handshakes, headers. Called on the health thread. */
@FunctionalInterface
public interface Trace {
    /** Nobody listens; a prober need not even make the words then. */
    Trace NONE = step -> {};

    /** In an operator's words; that it is called is the time of the step. */
    void note(String step);
}
