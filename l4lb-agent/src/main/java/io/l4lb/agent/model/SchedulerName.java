// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/** How the slots of a service's lookup table are filled. */
public enum SchedulerName {
    MAGLEV("maglev");

    private final String key;

    SchedulerName(String key) {
        this.key = key;
    }

    /** As written in the configuration. */
    public String key() {
        return key;
    }
}
