// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import java.util.List;
import java.util.function.Predicate;

/** Entries that a test has made. */
record InMemoryFlowTable(List<RememberedFlow> entries) implements FlowTable {
    private static final long CAPACITY = 1000;

    @Override
    public long capacity() {
        return CAPACITY;
    }

    @Override
    public Reading read(Predicate<RememberedFlow> visitor) {
        long read = 0;
        for (RememberedFlow entry : entries) {
            read++;
            if (!visitor.test(entry)) {
                break;
            }
        }
        return new Reading(read, 0);
    }

    @Override
    public Fill fill() {
        return new Fill(
                entries.size(), entries.stream().filter(RememberedFlow::counts).count());
    }

    @Override
    public void close() {}
}
