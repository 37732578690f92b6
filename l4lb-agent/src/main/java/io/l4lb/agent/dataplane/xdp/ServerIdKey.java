// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.quic.ServerId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/**
 * {@code struct server_id_key} of {@code l4lb.h}: length, bytes with zeroes behind them, and the service in the host's
 * byte order.
 *
 * @param service id of its service
 */
record ServerIdKey(int service, ServerId serverId) {
    static final int SIZE = 20;
    static final int BYTES = 1;
    static final int SERVICE = 16;

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        buffer.put((byte) serverId.length()).put(serverId.bytes());
        return buffer.putInt(SERVICE, service).clear();
    }

    /** Empty: bytes that nobody writes and no packet leads to. */
    static Optional<ServerIdKey> decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        int length = buffer.get();
        if (length < 1 || length > ServerId.MAX_BYTES) {
            return Optional.empty();
        }
        ServerId serverId = ServerId.ofBytes(Arrays.copyOfRange(bytes, BYTES, BYTES + length));
        ServerIdKey key = new ServerIdKey(buffer.getInt(SERVICE), serverId);
        return Optional.of(key).filter(known -> Arrays.equals(known.encode().array(), bytes));
    }
}
