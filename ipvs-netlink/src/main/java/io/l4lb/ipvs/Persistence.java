// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import java.time.Duration;

/**
 * Clients of one network stay with one destination.
 *
 * @param timeout whole seconds, at most 2^32-1 of them; how long after its last connection a client stays
 * @param maskLength how many bits of its address name a client: 0 to 32 for IPv4 (IPVS_SVC_ATTR_NETMASK is the mask in
 *     network byte order there), 1 to 128 for IPv6 (the number itself in host byte order). Of a foreign service's IPv4 mask
 *     with holes only the leading ones are counted.
 */
public record Persistence(Duration timeout, int maskLength) {
    public Persistence {
        Seconds.check("persistence timeout", timeout, 0xffff_ffffL);
        if (maskLength < 0 || maskLength > 128) {
            throw new IllegalArgumentException("persistence mask of " + maskLength + " bits");
        }
    }
}
