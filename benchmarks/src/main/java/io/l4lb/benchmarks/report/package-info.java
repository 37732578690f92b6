// SPDX-License-Identifier: Apache-2.0
/** What all figures share: medians, aligned columns, and how it is said that something cannot be measured. */
@NullMarked
package io.l4lb.benchmarks.report;

import org.jspecify.annotations.NullMarked;
