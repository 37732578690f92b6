// SPDX-License-Identifier: Apache-2.0
/**
 * A published stand-in for the kernel's IPVS, for tests of whatever uses {@link io.l4lb.ipvs.IpvsClient}; production code
 * never uses it. It reads and writes messages with code of its own, and passes the same contract test as the real one.
 */
@NullMarked
package io.l4lb.ipvs.fake;

import org.jspecify.annotations.NullMarked;
