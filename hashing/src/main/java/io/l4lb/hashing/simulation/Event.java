// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

/** What happens to the reals of a service. */
public enum Event {
    /** One real leaves, or is drained, which is the same to a table. */
    LEAVE("leave"),
    /** One real that was not there joins, with the average weight of those that were. */
    JOIN("join"),
    /** One real's weight is multiplied. */
    REWEIGHT("reweight"),
    /** Two reals leave at the same time. */
    LEAVE_TWO("leave-two");

    private final String key;

    Event(String key) {
        this.key = key;
    }

    /** As it is printed. */
    public String key() {
        return key;
    }
}
