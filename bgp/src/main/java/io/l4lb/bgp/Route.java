// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import org.jspecify.annotations.Nullable;

/**
 * What is announced for a prefix; the next hop is the address of the session. Communities, AS-path prepend and local
 * preference will stand beside the metric.
 *
 * @param med multi-exit discriminator (RFC 4271, 5.1.4), 0 to 2^32-1; null sends none
 */
public record Route(Prefix prefix, @Nullable Long med) {
    private static final long MAX_MED = 0xffffffffL;

    public Route {
        if (med != null && (med < 0 || med > MAX_MED)) {
            throw new IllegalArgumentException("med " + med + " of " + prefix);
        }
    }

    public static Route of(Prefix prefix) {
        return new Route(prefix, null);
    }

    public Route withMed(long newMed) {
        return new Route(prefix, newMed);
    }
}
