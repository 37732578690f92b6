// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * {@code struct probe_target} of {@code l4lb.h}: where the tunnel ends, its outer source in both families, flags and an
 * interface in the host's byte order.
 *
 * @param source4 empty: IPv4 reals cannot be reached
 * @param source6 empty: IPv6 reals cannot be reached
 * @param egress index of the interface that leads to the real; 0: the one by which the probe is on its way to the VIP
 */
record ProbeTargetValue(ProbePath path, Optional<InetAddress> source4, Optional<InetAddress> source6, int egress) {
    static final int SIZE = 56;
    static final int SOURCE4 = 16;
    static final int SOURCE6 = 32;
    static final int FLAGS = 48;
    static final int INTERFACE = 52;

    ByteBuffer encode() {
        ByteBuffer buffer = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        MappedAddress.put(buffer, path.real());
        source4.ifPresent(source -> MappedAddress.put(buffer.position(SOURCE4), source));
        source6.ifPresent(source -> MappedAddress.put(buffer.position(SOURCE6), source));
        return buffer.putInt(FLAGS, RealValue.flag(path.forwarding()))
                .putInt(INTERFACE, egress)
                .clear();
    }

    static ProbeTargetValue decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.duplicate().order(ByteOrder.nativeOrder());
        InetAddress real = MappedAddress.get(buffer);
        Optional<InetAddress> source4 = source(buffer);
        Optional<InetAddress> source6 = source(buffer);
        Forwarding forwarding = (buffer.getInt() & RealValue.GUE) != 0 ? Forwarding.GUE : Forwarding.IPIP;
        return new ProbeTargetValue(new ProbePath(real, forwarding), source4, source6, buffer.getInt());
    }

    private static Optional<InetAddress> source(ByteBuffer buffer) {
        return Optional.of(MappedAddress.get(buffer)).filter(source -> !source.isAnyLocalAddress());
    }
}
