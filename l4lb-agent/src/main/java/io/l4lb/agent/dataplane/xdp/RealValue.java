// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * {@code struct real} of {@code l4lb.h}, in the host's byte order.
 *
 * @param service id of its service
 * @param active whether remembered flows may still go to it
 * @param forwarding how
 */
record RealValue(InetAddress address, int service, boolean active, Forwarding forwarding) {
    static final int SIZE = 24;
    static final int SERVICE = 16;
    static final int FLAGS = 20;
    static final int ACTIVE = 1;
    static final int GUE = 2;

    /** The same, but nothing goes to it. */
    RealValue inactive() {
        return new RealValue(address, service, false, forwarding);
    }

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        MappedAddress.put(buffer, address);
        return buffer.putInt(service)
                .putInt((active ? ACTIVE : 0) | flag(forwarding))
                .flip();
    }

    static RealValue decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        InetAddress address = MappedAddress.get(buffer);
        int service = buffer.getInt();
        int flags = buffer.getInt();
        return new RealValue(
                address, service, (flags & ACTIVE) != 0, (flags & GUE) != 0 ? Forwarding.GUE : Forwarding.IPIP);
    }

    /** The flag that says how. */
    static int flag(Forwarding forwarding) {
        return switch (forwarding) {
            case IPIP -> 0;
            case GUE -> GUE;
            case GRE, DIRECT, MASQUERADE -> throw new IllegalArgumentException(forwarding + " is of IPVS alone");
        };
    }
}
