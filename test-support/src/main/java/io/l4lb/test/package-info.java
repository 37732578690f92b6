// SPDX-License-Identifier: Apache-2.0
/**
 * What tests of several modules share: what this machine can do, network namespaces, threads inside them, frames,
 * addresses, waiting. For tests only: nothing of it is part of the product.
 */
@NullMarked
package io.l4lb.test;

import org.jspecify.annotations.NullMarked;
