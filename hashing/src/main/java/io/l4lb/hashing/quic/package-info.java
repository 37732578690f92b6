// SPDX-License-Identifier: Apache-2.0
/**
 * What a balancer reads of QUIC without any key: the two header forms, the destination connection ID in them, and the
 * server ID that a server put into it.
 */
@NullMarked
package io.l4lb.hashing.quic;

import org.jspecify.annotations.NullMarked;
