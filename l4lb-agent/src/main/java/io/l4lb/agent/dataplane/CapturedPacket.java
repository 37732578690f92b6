// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

/**
 * A copy of a packet.
 *
 * @param time ns, of the clock of {@link System#nanoTime}
 * @param packet number that both stages of a packet share
 * @param stage when it was copied
 * @param verdict in lower case with dashes; empty: not known yet
 * @param interfaceIndex where it came in
 * @param frame what was copied of it
 */
public record CapturedPacket(long time, long packet, Stage stage, String verdict, int interfaceIndex, Frame frame) {
    /** When a packet is copied. */
    public enum Stage {
        /** As it came in. */
        BEFORE,
        /** As it leaves, is passed on or is dropped. */
        AFTER
    }

    /** Bytes from the Ethernet header on; there may have been more of them. */
    public static final class Frame {
        private final byte[] bytes;
        private final int length;

        /**
         * A frame.
         *
         * @param bytes of its beginning
         * @param length of all of it
         */
        public Frame(byte[] bytes, int length) {
            this.bytes = bytes.clone();
            this.length = length;
        }

        /** A copy of its beginning. */
        public byte[] bytes() {
            return bytes.clone();
        }

        /** Of all of it. */
        public int length() {
            return length;
        }
    }
}
