// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/**
 * How much is measured.
 *
 * @param rounds that count; one more comes before them
 * @param packets of each case in each round, at least
 * @param flows of a case, at most
 * @param flowTableSize of any balancer, at most
 */
public record PacketEffort(int rounds, int packets, int flows, int flowTableSize) {
    private static final int ALL = 1 << 24;

    /** For figures that are published: about a minute. */
    public static PacketEffort full() {
        return new PacketEffort(15, 400_000, ALL, ALL);
    }

    /** To see where it stands: about 15 seconds. */
    public static PacketEffort quick() {
        return new PacketEffort(3, 200_000, ALL, ALL);
    }
}
