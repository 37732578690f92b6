// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

/**
 * What bridge.py says first (its comment explains the fields).
 *
 * @param quietMillis Long.MAX_VALUE if ExaBGP was never given or told anything
 */
record Hello(int protocol, ProcessIdentity exabgp, long commands, long quietMillis) {
    static final int PROTOCOL = 1;
}
