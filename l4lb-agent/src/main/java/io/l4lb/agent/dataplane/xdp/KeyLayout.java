// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Protocol;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/** {@code struct service_key} of {@code l4lb.h}: VIP, port in network byte order, protocol number, padding.
 * Port and protocol are 0 where any will do. */
final class KeyLayout {
    static final int SIZE = 20;
    static final int PORT = 16;
    static final int PROTOCOL = 18;

    private KeyLayout() {}

    static ByteBuffer encode(ServiceKey key) {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.BIG_ENDIAN);
        MappedAddress.put(buffer, key.vip());
        return buffer.putShort((short) key.port())
                .put((byte) key.protocol().number())
                .put((byte) 0)
                .flip();
    }

    /** Empty: a protocol that this version does not know. */
    static Optional<ServiceKey> decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN);
        InetAddress vip = MappedAddress.get(buffer);
        int port = Short.toUnsignedInt(buffer.getShort());
        int number = Byte.toUnsignedInt(buffer.get());
        Optional<Protocol> protocol =
                number == Protocol.ANY.number() ? Optional.of(Protocol.ANY) : Protocol.ofNumber(number);
        return protocol.map(known -> new ServiceKey(vip, known, port));
    }
}
