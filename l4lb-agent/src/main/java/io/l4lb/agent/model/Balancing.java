// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

/**
 * How a service's flows are spread over its reals and sent to them.
 *
 * @param tableSize slots of the lookup table, a prime
 */
public record Balancing(SchedulerName scheduler, HashKey hashKey, int tableSize, Forwarding forwarding) {}
