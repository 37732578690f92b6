// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

/**
 * What would change for a packet, and for its service's table, if the real that it goes to went down.
 *
 * @param real where the packet would go then; empty: nowhere
 * @param reason in words, as of an {@link ExplainView}
 * @param moved slots of the table that would name another real
 * @param others those of them that were not the real's own
 * @param tableSize slots of the table
 */
public record IfDownView(String real, String reason, int moved, int others, int tableSize) {}
