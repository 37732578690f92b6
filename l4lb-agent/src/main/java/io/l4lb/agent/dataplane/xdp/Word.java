// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A {@code __u32} in the host's byte order: the key of arrays and of the probes, a flow's real, the id of an inner map. */
public final class Word {
    private Word() {}

    public static ByteBuffer encode(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .flip();
    }

    /** The first of what may be a longer value. */
    public static int decode(ByteBuffer bytes) {
        return bytes.duplicate().order(ByteOrder.nativeOrder()).getInt();
    }
}
