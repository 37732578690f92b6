// SPDX-License-Identifier: Apache-2.0
/**
 * How long many services take to get into IPVS, beside ipvsadm: in a virtual machine, whose kernel has IPVS, with the agent's
 * own classes.
 */
@NullMarked
package io.l4lb.benchmarks.ipvs;

import org.jspecify.annotations.NullMarked;
