// SPDX-License-Identifier: Apache-2.0
/**
 * Headers in raw bytes: one class a header, which checks that it lies within its bounds before it reads anything, so that
 * no bytes whatever make it throw; and what is written back into packets: headers, checksums, options.
 *
 * <p>All multi-byte fields are in network byte order. A header is a view of the bytes it was read from.
 */
@NullMarked
package io.l4lb.hashing.packet;

import org.jspecify.annotations.NullMarked;
