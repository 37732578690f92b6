// SPDX-License-Identifier: Apache-2.0
/** The compiled BPF programs. */
@NullMarked
package io.l4lb.bpf;

import org.jspecify.annotations.NullMarked;
