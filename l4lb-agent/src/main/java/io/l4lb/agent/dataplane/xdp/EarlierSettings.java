// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * {@code struct settings} of versions before 0.2, and what becomes of it: until the kernel was asked, packets go to the
 * gateway that was last known.
 *
 * <p>Then: seed (16 bytes), outer source towards IPv4 (16) and IPv6 reals (16), MAC towards IPv4 (6) and IPv6 reals (6),
 * MTU (4).
 */
final class EarlierSettings {
    private static final int EARLIER_SIZE = 64;
    private static final int EARLIER_SOURCES = 16;
    private static final int EARLIER_GATEWAYS = 48;
    private static final int MAC = 6;

    private static final int SIZE = 96;
    private static final int IPV4 = 0;
    private static final int IPV6 = 64;

    private EarlierSettings() {}

    /** What a new map of settings starts with; empty: the value is of no version that is known. */
    static Optional<ByteBuffer> carriedOver(ByteBuffer value) {
        if (value.remaining() == SIZE) {
            return Optional.of(value);
        }
        if (value.remaining() != EARLIER_SIZE) {
            return Optional.empty();
        }
        ByteBuffer settings = ByteBuffer.allocate(SIZE).order(ByteOrder.nativeOrder());
        copy(value, EARLIER_SOURCES, settings, IPV4, MappedAddress.SIZE);
        copy(value, EARLIER_GATEWAYS, settings, IPV4 + MappedAddress.SIZE, MAC);
        copy(value, EARLIER_SOURCES + MappedAddress.SIZE, settings, IPV6, MappedAddress.SIZE);
        copy(value, EARLIER_GATEWAYS + MAC, settings, IPV6 + MappedAddress.SIZE, MAC);
        return Optional.of(settings);
    }

    private static void copy(ByteBuffer from, int offset, ByteBuffer to, int toOffset, int length) {
        to.put(toOffset, from, from.position() + offset, length);
    }
}
