// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;

/** IPv6 extension headers: chains of any length up to the limit of eight and beyond it, in any order. */
final class ExtensionChains {
    static final int FRAGMENT = 44;
    private static final int[] OPTIONS_AND_ROUTING = {0, 60, 60, 43};
    private static final int[] COUNTS = {1, 1, 1, 2, 2, 3, 5, 7, 8, 9, 10};

    private final Dice dice;

    ExtensionChains(Dice dice) {
        this.dice = dice;
    }

    /** The payload behind a chain. */
    Payload around(Payload payload) {
        Payload chain = payload;
        for (int count = dice.one(COUNTS); count > 0; count--) {
            chain = dice.oneIn(8) ? fragment(chain, dice.rarely() ? dice.below(0x10000) : 0, 1) : header(chain);
        }
        return chain;
    }

    /** The payload behind one header, mostly of eight bytes. */
    Payload header(Payload payload) {
        int units = dice.oneIn(5) ? 1 + dice.below(4) : 1;
        byte[] header = dice.bytes(8 * units);
        header[1] = (byte) (dice.rarely() ? dice.below(256) : units - 1);
        return payload.behind(dice.one(OPTIONS_AND_ROUTING), header);
    }

    /**
     * The payload behind a fragment header.
     *
     * @param field offset and flags; of a whole packet, 0
     */
    static Payload fragment(Payload payload, int field, long id) {
        return payload.behind(
                FRAGMENT,
                ByteBuffer.allocate(8)
                        .putShort(2, (short) field)
                        .putInt(4, (int) id)
                        .array());
    }
}
