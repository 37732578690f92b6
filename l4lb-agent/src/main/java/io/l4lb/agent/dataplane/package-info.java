// SPDX-License-Identifier: Apache-2.0
/** What a kernel dataplane has to be able to do, whichever it is. */
@NullMarked
package io.l4lb.agent.dataplane;

import org.jspecify.annotations.NullMarked;
