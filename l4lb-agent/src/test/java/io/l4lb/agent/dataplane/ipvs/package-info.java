// SPDX-License-Identifier: Apache-2.0
/** Tests of what is relied upon of IPVS, against the kernel's own. */
@NullMarked
package io.l4lb.agent.dataplane.ipvs;

import org.jspecify.annotations.NullMarked;
