// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * {@code struct service} of {@code l4lb.h}, in the host's byte order.
 *
 * @param id the same for all keys of a service
 * @param table index of its lookup table
 * @param tableSize slots of that table
 * @param layout of connection IDs; empty unless the key is {@link HashKey#QUIC_CID}
 */
record ServiceValue(int id, int table, int tableSize, HashKey hashKey, Optional<ConnectionIdLayout> layout) {
    static final int SIZE = 16;
    static final int TABLE = 4;
    static final int TABLE_SIZE = 8;
    static final int KEY = 12;
    static final int CID_LENGTH = 13;
    static final int CID_ROTATION = 14;
    static final int SERVER_ID_LENGTH = 15;

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        buffer.putInt(id).putInt(table).putInt(tableSize).put((byte) numberOf(hashKey));
        layout.ifPresent(ids ->
                buffer.put((byte) ids.length()).put((byte) ids.rotation()).put((byte) ids.serverIdLength()));
        return buffer.clear();
    }

    /**
     * What a version wrote that had no choice yet is the 5-tuple. So is a key that only a later version knows: to this
     * one's program, too. A layout that cannot be is none, which nobody wants, so that it is written anew.
     */
    static ServiceValue decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        int id = buffer.getInt();
        int table = buffer.getInt();
        int tableSize = buffer.getInt();
        HashKey hashKey = keyOf(buffer.get());
        return new ServiceValue(
                id, table, tableSize, hashKey, hashKey == HashKey.QUIC_CID ? layout(buffer) : Optional.empty());
    }

    private static Optional<ConnectionIdLayout> layout(ByteBuffer buffer) {
        int length = Byte.toUnsignedInt(buffer.get());
        int rotation = Byte.toUnsignedInt(buffer.get());
        int serverIdLength = Byte.toUnsignedInt(buffer.get());
        try {
            return Optional.of(new ConnectionIdLayout(length, rotation, serverIdLength));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** {@code enum hash_key} of {@code l4lb.h}. */
    static int numberOf(HashKey key) {
        return switch (key) {
            case FIVE_TUPLE -> 0;
            case THREE_TUPLE -> 1;
            case QUIC_CID -> 2;
        };
    }

    private static HashKey keyOf(byte number) {
        for (HashKey key : HashKey.values()) {
            if (numberOf(key) == number) {
                return key;
            }
        }
        return HashKey.FIVE_TUPLE;
    }
}
