// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.util.Map;
import java.util.Set;

/**
 * What the kernel does for a service by a lookup table of ours, read back.
 *
 * @param digest of the slots, comparable with {@link LookupTable#digest()}
 * @param slots by real, the slots that name it; reals without a slot are left out
 * @param active reals to which remembered flows may go
 * @param forwarding how packets travel to the active reals: nothing if there are none, and never two ways but by accident
 */
public record TableService(
        ServiceKey key,
        PacketKey packetKey,
        int tableSize,
        long digest,
        Map<InetAddress, Integer> slots,
        Set<InetAddress> active,
        Set<Forwarding> forwarding)
        implements ObservedService {
    public TableService {
        slots = Map.copyOf(slots);
        active = Set.copyOf(active);
        forwarding = Set.copyOf(forwarding);
    }

    @Override
    public boolean forwards() {
        return !slots.isEmpty();
    }

    @Override
    public boolean does(ServiceProgram program) {
        return key.equals(program.key())
                && packetKey.equals(program.packetKey())
                && tableSize == program.table().size()
                && digest == program.table().digest()
                && active.equals(program.active())
                && Set.of(program.forwarding()).containsAll(forwarding);
    }
}
