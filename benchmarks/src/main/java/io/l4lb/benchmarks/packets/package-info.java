// SPDX-License-Identifier: Apache-2.0
/**
 * What a packet costs the XDP balancer: the program that the agent loads, filled as the agent fills it, timed by
 * BPF_PROG_TEST_RUN inside of a wrapper. Needs root; makes network namespaces and a bpffs of its own.
 */
@NullMarked
package io.l4lb.benchmarks.packets;

import org.jspecify.annotations.NullMarked;
