// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * {@code struct flow} of {@code l4lb.h}, in the host's byte order.
 *
 * @param real number of its real
 * @param seen tick of its last packet, see {@link Ticks}; unsigned
 * @param entropy the low 16 bits of its hash
 */
record FlowValue(int real, int seen, int entropy, State state) {
    static final int SIZE = 12;
    static final int SEEN = 4;
    static final int ENTROPY = 8;
    static final int STATE = 10;

    /** {@code enum flow_state}: on what it depends how long the entry counts. */
    enum State {
        /** Not TCP. */
        OTHER(0),
        /** The client's SYN, nothing since. */
        OPENING(1),
        /** Some other packet. */
        ESTABLISHED(2),
        /** The client's FIN or RST. */
        CLOSING(3);

        private final int number;

        State(int number) {
            this.number = number;
        }

        /** One that only a later version knows is {@link #OTHER}. */
        private static State of(int number) {
            return Arrays.stream(values())
                    .filter(state -> state.number == number)
                    .findFirst()
                    .orElse(OTHER);
        }
    }

    ByteBuffer encode() {
        return ByteBuffer.allocate(SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(real)
                .putInt(seen)
                .putShort((short) entropy)
                .put((byte) state.number)
                .clear();
    }

    static FlowValue decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        int real = buffer.getInt();
        int seen = buffer.getInt();
        int entropy = Short.toUnsignedInt(buffer.getShort());
        return new FlowValue(real, seen, entropy, State.of(Byte.toUnsignedInt(buffer.get())));
    }
}
