// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/**
 * How much is measured.
 *
 * @param rounds that count; one more comes before them
 * @param packets of each case in each round, at least
 * @param remembered flows that the flow table holds for each processor
 * @param flows of a case, at most
 */
public record PacketEffort(int rounds, int packets, int remembered, int flows) {
    private static final int REMEMBERED = 1 << 20;
    private static final int ALL_FLOWS = 1 << 24;

    /** For figures that are published: about a minute. */
    public static PacketEffort full() {
        return new PacketEffort(15, 400_000, REMEMBERED, ALL_FLOWS);
    }

    /** To see where it stands: about 15 seconds. */
    public static PacketEffort quick() {
        return new PacketEffort(3, 200_000, REMEMBERED, ALL_FLOWS);
    }
}
