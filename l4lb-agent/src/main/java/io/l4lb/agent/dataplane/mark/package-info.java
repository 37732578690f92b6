// SPDX-License-Identifier: Apache-2.0
/**
 * Schedulers that IPVS lacks: a tc program of ours gives packets the mark of their real, by the tables that the XDP balancer
 * would have for them; IPVS forwards by the mark and remembers the flow.
 */
@NullMarked
package io.l4lb.agent.dataplane.mark;

import org.jspecify.annotations.NullMarked;
