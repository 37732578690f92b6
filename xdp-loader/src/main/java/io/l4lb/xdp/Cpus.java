// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.Host;

/** The CPUs of this host. */
public final class Cpus {
    private Cpus() {}

    /** How many there may ever be, which is how many values an entry of a per-CPU map has. */
    public static int possible() {
        return Host.possibleCpus();
    }
}
