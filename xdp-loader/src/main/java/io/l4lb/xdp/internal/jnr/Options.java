// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp.internal.jnr;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One of libbpf's structures of options: its size comes first (size_t), then its fields, in the host's byte order. */
final class Options {
    private final byte[] bytes;
    private final ByteBuffer fields;

    Options(int size) {
        this.bytes = new byte[size];
        this.fields = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        fields.putLong(0, size);
    }

    Options with(int offset, int value) {
        fields.putInt(offset, value);
        return this;
    }

    int get(int offset) {
        return fields.getInt(offset);
    }

    /** The structure itself: a call that is given it may write to it. */
    byte[] memory() {
        return bytes;
    }
}
