// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code struct real} of {@code l4lb.h}, in the host's byte order.
 *
 * @param service id of its service
 * @param active whether remembered flows may still go to it
 */
record RealValue(InetAddress address, int service, boolean active) {
    static final int SIZE = 24;
    static final int SERVICE = 16;
    static final int FLAGS = 20;
    private static final int ACTIVE = 1;

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        MappedAddress.put(buffer, address);
        return buffer.putInt(service).putInt(active ? ACTIVE : 0).flip();
    }

    static RealValue decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        return new RealValue(MappedAddress.get(buffer), buffer.getInt(), (buffer.getInt() & ACTIVE) != 0);
    }
}
