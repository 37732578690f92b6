// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.util.Arrays;

/** What can happen to a frame: bits flipped, an end cut off, bytes that are noise; to most of them nothing. */
final class Mutations {
    /** One page, less what the kernel keeps for itself: so long may a frame of a test run be. */
    private static final int LONGEST = 3400;

    private final Dice dice;

    Mutations(Dice dice) {
        this.dice = dice;
    }

    /** May change the frame that it is given. */
    byte[] applied(byte[] frame) {
        byte[] mutated =
                switch (dice.below(28)) {
                    case 0, 1 -> flipped(frame);
                    case 2 ->
                        Arrays.copyOf(frame, RawPacket.ETHERNET + dice.below(frame.length - RawPacket.ETHERNET + 1));
                    case 3 -> Arrays.copyOf(frame, Math.min(frame.length, RawPacket.ETHERNET + dice.below(130)));
                    case 4 -> noise(frame);
                    default -> frame;
                };
        return mutated.length > LONGEST ? Arrays.copyOf(mutated, LONGEST) : mutated;
    }

    private byte[] flipped(byte[] frame) {
        int reach = Math.min(frame.length, dice.one(40, 80, 160, frame.length));
        for (int i = dice.below(3); i >= 0; i--) {
            frame[dice.below(reach)] ^= (byte) (1 << dice.below(8));
        }
        return frame;
    }

    /** Any bytes, from behind the MACs, from behind addresses and ports, or in a few places. */
    private byte[] noise(byte[] frame) {
        if (dice.oneIn(2)) {
            for (int i = dice.below(4); i >= 0; i--) {
                frame[dice.below(Math.min(frame.length, 120))] =
                        (byte) (dice.oneIn(2) ? dice.below(256) : dice.below(8));
            }
            return frame;
        }
        int from = dice.oneIn(2) ? 12 : Math.min(frame.length, RawPacket.ETHERNET + 44);
        byte[] noise = dice.bytes(frame.length - from);
        System.arraycopy(noise, 0, frame, from, noise.length);
        return frame;
    }
}
