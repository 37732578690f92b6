// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.util.Locale;

/** Who takes the outer headers off. */
public enum Method {
    /** The kernel's tunnel devices where all are to be had, otherwise our program. */
    AUTO,
    /** The kernel's own tunnel devices. */
    KERNEL,
    /** Our program at the ingress of the interface. */
    BPF;

    /** As it is typed. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** By its text. */
    public static Method parse(String text) {
        for (Method method : values()) {
            if (method.text().equals(text)) {
                return method;
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is none of auto, kernel, bpf");
    }
}
