// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/**
 * What a service or destination has seen since it was made or set to zero. The kernel sums it up every 2 s, and not at all
 * where the sysctl net.ipv4.vs.run_estimation is 0. Unsigned 64 bits; a kernel before 4.1 only counts 32 bits of
 * connections and packets.
 *
 * @param connections scheduled
 * @param incomingBytes of whole IP packets, from clients
 * @param outgoingPackets back to clients; only those that pass here, so none with direct routing or tunnels
 */
public record Statistics(
        long connections,
        long incomingPackets,
        long outgoingPackets,
        long incomingBytes,
        long outgoingBytes,
        Rates rates) {
    public static final Statistics ZERO = new Statistics(0, 0, 0, 0, 0, Rates.ZERO);

    /** The same a second, averaged over the last few of them. */
    public record Rates(
            long connections, long incomingPackets, long outgoingPackets, long incomingBytes, long outgoingBytes) {
        public static final Rates ZERO = new Rates(0, 0, 0, 0, 0);
    }
}
