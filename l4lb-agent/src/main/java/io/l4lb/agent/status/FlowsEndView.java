// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

/**
 * The last row behind flows.
 *
 * @param end how far it went
 */
public record FlowsEndView(End end) {
    /**
     * How far it went.
     *
     * @param shown entries that were sent
     * @param matching entries that fit
     * @param entries of the flow table in all
     * @param gone those of them whose service or real is gone: they are no rows
     * @param capacity of the flow table
     */
    public record End(long shown, long matching, long entries, long gone, long capacity) {}
}
