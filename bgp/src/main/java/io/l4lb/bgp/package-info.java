// SPDX-License-Identifier: Apache-2.0
/** Keeps a wanted set of routes announced through ExaBGP. */
@NullMarked
package io.l4lb.bgp;

import org.jspecify.annotations.NullMarked;
