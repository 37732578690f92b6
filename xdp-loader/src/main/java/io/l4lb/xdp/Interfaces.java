// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Host;
import java.util.OptionalInt;

/** Network interfaces. */
public final class Interfaces {
    private Interfaces() {}

    /**
     * Index of an interface in the calling thread's network namespace. Unlike {@code java.net.NetworkInterface}
     * it also finds an interface that has no address.
     */
    public static OptionalInt index(String name) {
        return Host.interfaceIndex(name);
    }
}
