// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/**
 * What has to become of a case's packets; otherwise something else would be timed than is said.
 *
 * @param verdict under which the balancer counts them
 * @param memory what the flow table has to do with them
 */
record Expectation(String verdict, Tunnel tunnel, Memory memory) {
    /** The flow table's part. */
    enum Memory {
        /** The flow is found: it has to be there before. */
        FOUND,
        /** The flow is not there, and is afterwards. */
        INSERTED,
        /** The flow is not there, and stays so. */
        LEFT_OUT,
        /** Nothing is looked for. */
        NONE
    }

    static Expectation found(Tunnel tunnel) {
        return new Expectation("forward-flow", tunnel, Memory.FOUND);
    }

    static Expectation scheduled(Memory memory) {
        return new Expectation("forward-table", Tunnel.IPV4_IN_IPV4, memory);
    }
}
