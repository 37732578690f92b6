// SPDX-License-Identifier: Apache-2.0
/**
 * BPF objects, maps, programs, links and pins over libbpf. Knows nothing of any particular program.
 *
 * <p>A handle ({@link io.l4lb.xdp.BpfMap}, {@link io.l4lb.xdp.ProgramHandle}, {@link io.l4lb.xdp.Link})
 * owns one file descriptor and gives it up when closed. What the kernel holds behind it lives on as
 * long as anything refers to it: a pin, a link, a program. Handles may be used by any thread, but a
 * network interface is looked up in the network namespace of the thread that calls.
 *
 * <p>Keys and values are the bytes that the BPF program sees: integers in the host's byte order unless the
 * program says otherwise. Failures are {@link io.l4lb.xdp.BpfException}s.
 */
@NullMarked
package io.l4lb.xdp;

import org.jspecify.annotations.NullMarked;
