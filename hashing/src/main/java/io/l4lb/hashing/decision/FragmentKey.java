// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.net.InetAddress;

/**
 * What all fragments of one packet have in common (RFC 791, 3.2; RFC 8200, 4.5).
 *
 * @param source the sender
 * @param destination the VIP
 * @param protocol of IPv6, what the fragment header names
 * @param id 16 bits in IPv4, 32 bits in IPv6
 */
public record FragmentKey(InetAddress source, InetAddress destination, int protocol, long id) {}
