// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class VipFilterTest {
    /** What {@code vip_filter_bit} of {@code l4lb.h} gives, compiled with clang 14 for x86-64. */
    @Test
    void hasTheBitOfTheHeader() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the bits are those of little-endian words");
        assertEquals(21128, VipFilter.bit(ip("192.0.2.10")));
        assertEquals(21605, VipFilter.bit(ip("2001:db8::10")));
    }

    @Test
    void hasOneBitForEachVip() {
        ByteBuffer encoded =
                VipFilter.of(List.of(ip("192.0.2.10"), ip("2001:db8::10"))).encode();
        assertEquals(VipFilter.SIZE, encoded.remaining());
        BitSet bits = BitSet.valueOf(encoded);
        assertEquals(2, bits.cardinality());
        assertTrue(bits.get(VipFilter.bit(ip("192.0.2.10"))));
        assertTrue(bits.get(VipFilter.bit(ip("2001:db8::10"))));
        assertEquals(VipFilter.of(Set.of(ip("2001:db8::10"), ip("192.0.2.10"))), VipFilter.decode(encoded));
    }
}
