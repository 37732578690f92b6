// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;

/**
 * What would change for a packet, and for its service, without the real that it goes to.
 *
 * @param choice where the packet would go. A TCP connection that the kernel's scheduler gave to
 *     a real that is down stays there until its client begins anew
 * @param moved slots of the table whose flows would go elsewhere
 * @param others those of them that were not the real's own
 * @param tableSize slots of the table
 */
public record IpvsLoss(Choice choice, int moved, int others, int tableSize) {}
