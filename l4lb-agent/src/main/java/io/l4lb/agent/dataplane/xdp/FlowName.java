// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.FlowKey;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code struct flow_name} of {@code l4lb.h}: a flow's source, its service and protocol in a word of the host's byte
 * order, its ports in network byte order. The service stands for the VIP.
 *
 * @param service id of its service, below 2^24
 * @param protocol IP protocol number
 */
record FlowName(InetAddress source, int service, int protocol, int sourcePort, int vipPort) {
    static final int SIZE = 24;
    static final int SERVICE = 16;
    static final int SOURCE_PORT = 20;
    static final int VIP_PORT = 22;

    /**
     * The name of a flow.
     *
     * @param hashed what is hashed of it
     */
    static FlowName of(int service, FlowKey hashed) {
        return new FlowName(hashed.source(), service, hashed.protocol(), hashed.sourcePort(), hashed.vipPort());
    }

    /**
     * What is hashed of the flow.
     *
     * @param vip of its service
     */
    FlowKey flowKey(InetAddress vip) {
        return new FlowKey(source, sourcePort, vip, vipPort, protocol);
    }

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        MappedAddress.put(buffer, source);
        return buffer.putInt((service << 8) | protocol)
                .order(ByteOrder.BIG_ENDIAN)
                .putShort((short) sourcePort)
                .putShort((short) vipPort)
                .flip();
    }

    static FlowName decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        InetAddress source = MappedAddress.get(buffer);
        int word = buffer.getInt();
        buffer.order(ByteOrder.BIG_ENDIAN);
        int sourcePort = Short.toUnsignedInt(buffer.getShort());
        return new FlowName(source, word >>> 8, word & 0xff, sourcePort, Short.toUnsignedInt(buffer.getShort()));
    }
}
