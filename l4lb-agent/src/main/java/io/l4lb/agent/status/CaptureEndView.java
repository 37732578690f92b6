// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

/**
 * A row between or behind packets.
 *
 * @param end how it stands
 */
public record CaptureEndView(End end) {
    /**
     * How it stands.
     *
     * @param copies that were sent
     * @param lost copies that were lost: the ring buffer was full, or the client was behind
     * @param last whether nothing follows
     */
    public record End(long copies, long lost, boolean last) {}
}
