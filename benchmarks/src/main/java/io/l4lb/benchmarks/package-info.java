// SPDX-License-Identifier: Apache-2.0
/** What is measured, against what, and how the figures are printed. Nothing here is part of a release. */
@NullMarked
package io.l4lb.benchmarks;

import org.jspecify.annotations.NullMarked;
