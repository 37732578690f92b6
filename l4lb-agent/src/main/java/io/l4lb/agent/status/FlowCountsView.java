// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * Entries of the flow table that fit.
 *
 * @param entries of the flow table in all
 * @param gone those of them whose service or real is gone: they are not among the rows
 * @param capacity of the flow table
 */
public record FlowCountsView(List<Row> flows, long entries, long gone, long capacity) {
    public FlowCountsView {
        flows = List.copyOf(flows);
    }

    /**
     * Those of one real of one service.
     *
     * @param flows that count
     * @param expired that no longer count
     */
    public record Row(String service, String real, long flows, long expired) {}
}
