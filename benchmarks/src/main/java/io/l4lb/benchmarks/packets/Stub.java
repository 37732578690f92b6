// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/** Programs that do next to nothing: the floors. */
enum Stub {
    /** Passes. */
    PASSING,
    /** Makes room for an IPv4 header and writes 34 bytes. */
    ENCAPSULATING;

    /** The program's name in stubs.bpf.c. */
    String program() {
        return this == PASSING ? "passing" : "encapsulating";
    }
}
