// SPDX-License-Identifier: Apache-2.0
/**
 * The reference model of the packet decision: what a director does with a packet, step by step, written to be read. The
 * C program is held against it.
 *
 * <p>{@link io.l4lb.hashing.decision.PacketModel} is the spine; each step is a class of its own.
 */
@NullMarked
package io.l4lb.hashing.decision;

import org.jspecify.annotations.NullMarked;
