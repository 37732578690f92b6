// SPDX-License-Identifier: Apache-2.0
/** BPF objects, maps, programs, links and pins over libbpf. */
@NullMarked
package io.l4lb.xdp;

import org.jspecify.annotations.NullMarked;
