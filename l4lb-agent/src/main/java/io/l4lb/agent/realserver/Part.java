// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

/** The part of the kernel that things of one kind belong to. */
interface Part {
    /** The value of the thing of that name, empty if it is not there. */
    String read(String name);

    /** Why it cannot get that value, as far as that can be told before it is tried; empty: no reason is known. */
    default String refusal(String name, String value) {
        return "";
    }

    /** Gives it another value; the empty one takes it away. */
    void write(String name, String value);
}
