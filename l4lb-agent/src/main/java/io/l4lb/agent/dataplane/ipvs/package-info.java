// SPDX-License-Identifier: Apache-2.0
/** The dataplane of the kernel's IPVS, on any kernel that has its modules. */
@NullMarked
package io.l4lb.agent.dataplane.ipvs;

import org.jspecify.annotations.NullMarked;
