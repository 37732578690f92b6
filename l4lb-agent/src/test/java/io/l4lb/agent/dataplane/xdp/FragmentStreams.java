// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Packets in pieces: first ones that are too short, ones out of order, lost or twice there. */
final class FragmentStreams {
    private static final int UNIT = 8;
    /** Few, so that they are met again; some differ in one half alone. */
    private static final long[] IDS = {1, 2, 0x1234, 0xffff, 0x00010001, 0x00010002, 0x02000000, 0xffffffffL};

    private final Dice dice;
    private final ExtensionChains chains;

    FragmentStreams(Dice dice) {
        this.dice = dice;
        this.chains = new ExtensionChains(dice);
    }

    /** The pieces of a packet, in the order in which they come. */
    List<RawPacket> pieces(RawPacket packet) {
        long id = IDS[dice.below(IDS.length)];
        Payload whole = !packet.isIpv4() && dice.oneIn(6) ? chains.header(packet.payload()) : packet.payload();
        List<RawPacket> pieces = new ArrayList<>();
        int from = 0;
        for (int count = 1 + dice.below(3); count > 0 && from < whole.length(); count--) {
            int to = from + UNIT * dice.one(1, 1, 2, 3, 4, 5, 1 + dice.below(40));
            boolean last = to >= whole.length() || count == 1;
            pieces.add(piece(packet, whole.piece(from, last ? whole.length() : to), from, !last, id));
            from = last ? whole.length() : to;
        }
        return jumbled(pieces);
    }

    private RawPacket piece(RawPacket packet, Payload piece, int offset, boolean more, long id) {
        if (packet.isIpv4()) {
            int flags = (dice.oneIn(4) ? RawPacket.DO_NOT_FRAGMENT : 0) | (more ? RawPacket.MORE_FRAGMENTS : 0);
            return new RawPacket(packet.source(), packet.destination(), piece)
                    .ipv4Flags(flags | (offset / UNIT))
                    .id((int) id);
        }
        Payload fragment = ExtensionChains.fragment(piece, offset | (more ? 1 : 0), id);
        return new RawPacket(packet.source(), packet.destination(), dice.oneIn(8) ? chains.around(fragment) : fragment);
    }

    private List<RawPacket> jumbled(List<RawPacket> pieces) {
        if (dice.oneIn(4)) {
            Collections.shuffle(pieces, dice.random());
        }
        if (dice.oneIn(5) && !pieces.isEmpty()) {
            pieces.remove(dice.below(pieces.size()));
        }
        if (dice.oneIn(8) && !pieces.isEmpty()) {
            pieces.add(dice.one(pieces));
        }
        return pieces;
    }
}
