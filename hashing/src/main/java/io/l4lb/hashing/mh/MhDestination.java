// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

import java.net.InetAddress;

/**
 * A destination of an IPVS service as {@code mh} sees it.
 *
 * @param identity the real's, for tables and answers; the kernel knows nothing of it
 * @param address the real's, of either family whatever the service's
 * @param port as the kernel has it: the service's, unless the real is forwarded to by masquerading
 * @param lastWeight the latest weight other than 0 that it was given, or 0 if it was added at 0 and never given one
 *     ({@code last_weight}): a destination set to 0 keeps its slots
 */
public record MhDestination(String identity, InetAddress address, int port, int lastWeight) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException for an empty identity, a negative weight, or a port beyond 16 bits
     */
    public MhDestination {
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("a destination needs an identity");
        }
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("destination " + identity + " has port " + port);
        }
        if (lastWeight < 0) {
            throw new IllegalArgumentException("destination " + identity + " has weight " + lastWeight);
        }
    }
}
