// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code struct service} of {@code l4lb.h}, in the host's byte order.
 *
 * @param id the same for all keys of a service
 * @param table index of its lookup table
 * @param tableSize slots of that table
 */
record ServiceValue(int id, int table, int tableSize) {
    static final int SIZE = 16;
    static final int TABLE = 4;
    static final int TABLE_SIZE = 8;

    ByteBuffer encode() {
        return ByteBuffer.allocate(SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(id)
                .putInt(table)
                .putInt(tableSize)
                .putInt(0)
                .flip();
    }

    static ServiceValue decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        return new ServiceValue(buffer.getInt(), buffer.getInt(), buffer.getInt());
    }
}
