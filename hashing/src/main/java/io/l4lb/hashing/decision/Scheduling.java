// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.LookupTable;
import java.util.Optional;

/** Step 6: the flow table first, then the service's lookup table. */
final class Scheduling {
    private final Memory<ServiceFlow> flows;

    Scheduling(Memory<ServiceFlow> flows) {
        this.flows = flows;
    }

    /**
     * The real of a client's packet. What the lookup table says is remembered.
     *
     * @param starts whether it begins a connection: then the flow table is not believed
     */
    Choice schedule(Flow flow, boolean starts) {
        Optional<Choice> remembered = starts ? Optional.empty() : recall(flow);
        if (remembered.isPresent()) {
            return remembered.get();
        }
        Choice choice = bySlot(flow);
        if (choice.real() != null) {
            remember(flow, new Remembered(flow.service().name(), choice.real()));
        }
        return choice;
    }

    /** The real of a packet about the flow, which is no packet of the flow: nothing is remembered. */
    Choice look(Flow flow) {
        return recall(flow).orElseGet(() -> bySlot(flow));
    }

    private Optional<Choice> recall(Flow flow) {
        Service service = flow.service();
        return flows.recall(flow.name())
                .filter(entry -> entry.service().equals(service.name()))
                .filter(entry -> service.tunnelEnd(entry.real()).isPresent())
                .map(entry -> Choice.of(Verdict.FORWARD_FLOW, entry.real()));
    }

    private void remember(Flow flow, Remembered real) {
        if (!flows.recall(flow.name()).equals(Optional.of(real))) {
            flows.remember(flow.name(), real);
        }
    }

    private static Choice bySlot(Flow flow) {
        LookupTable table = flow.service().table();
        int slot = LookupTable.slotOf(flow.hash(), table.size());
        return table.realOf(flow.hash())
                .filter(real -> flow.service().tunnelEnd(real).isPresent())
                .map(real -> new Choice(Verdict.FORWARD_TABLE, real, slot))
                .orElseGet(() -> new Choice(Verdict.DROP_NO_REAL, null, slot));
    }
}
