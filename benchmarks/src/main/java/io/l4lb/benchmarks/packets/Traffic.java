// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The packets of a case. Of more than one flow, each packet belongs to the next one: port 1024 and the following 16383,
 * then the next source address. Checksums are those of the frame, whatever the flow: the balancer looks at none.
 *
 * @param frame the packet of flow 0, Ethernet header included
 * @param opening a packet to be sent before the first of these, if they are to find something that it leaves behind
 * @param flows a power of two; with more than one the frame holds TCP over IPv4 without options
 */
record Traffic(byte[] frame, Optional<byte[]> opening, int flows) {
    /** Of the source address in an IPv4 packet. */
    static final int SOURCE_OFFSET = 26;
    /** Of the source port behind an IPv4 header without options. */
    static final int PORT_OFFSET = 34;

    Traffic {
        if (Integer.bitCount(flows) != 1) {
            throw new IllegalArgumentException(flows + " is not a power of two");
        }
        frame = frame.clone();
    }

    static Traffic of(byte[] frame) {
        return new Traffic(frame, Optional.empty(), 1);
    }

    /** The frame's flow, and the ones that follow it. */
    static Traffic of(byte[] frame, int flows) {
        return new Traffic(frame, Optional.empty(), flows);
    }

    Traffic after(byte[] first) {
        return new Traffic(frame, Optional.of(first), flows);
    }

    Traffic atMost(int otherFlows) {
        return new Traffic(frame, opening, Math.min(flows, otherFlows));
    }

    @Override
    public byte[] frame() {
        return frame.clone();
    }

    /** The source address of flow 0, of IPv4. */
    int source() {
        return ByteBuffer.wrap(frame).getInt(SOURCE_OFFSET);
    }
}
