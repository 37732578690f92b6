// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** Options of a TCP header: with a maximum segment size in odd places, with several, with ones that make no sense. */
final class TcpOptions {
    private static final int MOST = 40;
    private static final int[] SIZES = {536, 1220, 1279, 1280, 1281, 1399, 1400, 1401, 1440, 1460, 8960, 65535, 0};

    private final Dice dice;

    TcpOptions(Dice dice) {
        this.dice = dice;
    }

    /** A multiple of four bytes, 40 at most. */
    byte[] next() {
        ByteBuffer out = ByteBuffer.allocate(2 * MOST + 300);
        for (int count = dice.below(5); count >= 0 && out.position() < MOST; count--) {
            option(out);
        }
        int end = Math.min(out.position(), MOST);
        if (dice.oneIn(3)) {
            // What follows is no option any more: it may be cut off in the middle, or it is zero.
            return Arrays.copyOf(out.array(), dice.oneIn(2) ? end & ~3 : (end + 3) & ~3);
        }
        byte[] padded = Arrays.copyOf(out.array(), (end + 3) & ~3);
        Arrays.fill(padded, end, padded.length, (byte) 1);
        return padded;
    }

    private void option(ByteBuffer out) {
        switch (dice.below(12)) {
            case 0, 1, 2, 3 -> segmentSize(out, 4);
            case 4 -> segmentSize(out, dice.one(0, 1, 2, 3, 5, 6, 255));
            case 5, 6 -> out.put((byte) 1);
            case 7 -> noOperations(out);
            case 8 -> out.put((byte) 3).put((byte) 3).put((byte) 7);
            case 9 -> out.put((byte) 4).put((byte) 2);
            case 10 -> out.put((byte) 8).put((byte) 10).put(dice.bytes(8));
            default -> unknown(out);
        }
    }

    private void segmentSize(ByteBuffer out, int length) {
        int size = dice.rarely() ? dice.below(0x10000) : dice.one(SIZES);
        out.put((byte) 2).put((byte) length).putShort((short) size);
    }

    private void noOperations(ByteBuffer out) {
        for (int count = dice.below(37); count > 0; count--) {
            out.put((byte) 1);
        }
    }

    /** The end of options among them, and lengths that lead outside or nowhere. */
    private void unknown(ByteBuffer out) {
        int length = dice.one(0, 1, 2, 3, 4, 5, 9, 17, 30, 255);
        out.put((byte) dice.one(0, 5, 19, 34, 253, 254, 255)).put((byte) length);
        out.put(dice.bytes(Math.min(Math.max(length - 2, 0), MOST)));
    }
}
