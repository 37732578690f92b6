// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.HashSeed;

/**
 * What holds for all services of a director.
 *
 * @param seed the key of the flow hash
 * @param tunnel how packets travel to the reals
 * @param nextHops to whom they are handed
 * @param switches what is done besides
 */
public record Settings(HashSeed seed, Tunnel tunnel, NextHops nextHops, Switches switches) {}
