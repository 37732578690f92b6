// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.simulation;

/**
 * What one kind of event does to a table, over several choices of the real that it happens to.
 *
 * @param trials how many choices
 * @param moved slots that name another real after the event than before, on average
 * @param worstMoved the same, in the trial that moved most
 * @param unavoidable slots that have to move because the reals are due other shares, on average: half the sum of what
 *     the shares change by, not rounded to slots. A real that leaves takes its share. What {@code moved} has beyond it
 *     is the scheduler's doing, or rounding to whole slots
 * @param maxOverAverage {@link Balance#maxOverAverage} after the event, in the trial where it is largest
 */
public record Disruption(
        Event event, int trials, double moved, int worstMoved, double unavoidable, double maxOverAverage) {}
