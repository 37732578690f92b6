// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/**
 * Numbers of connections, unsigned 32 bits, lower &lt;= upper. A kernel may refuse more than 2^31-1 with EINVAL (seen on
 * Linux 6.1).
 *
 * @param upper a destination with so many gets no new ones; 0 means no limit
 * @param lower it gets new ones again below so many; 0 means three quarters of upper
 */
public record Thresholds(long upper, long lower) {
    public static final Thresholds NONE = new Thresholds(0, 0);

    public Thresholds {
        if (lower < 0 || lower > upper || upper > 0xffff_ffffL) {
            throw new IllegalArgumentException("thresholds upper " + upper + ", lower " + lower);
        }
    }
}
