// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * A real of one service. A view is a row: its components are its columns, however many they are. A service with several
 * VIPs has a table and probes for each: the row has the worst health and the sum of traffic, {@code checks} has them apart.
 *
 * @param serverId hexadecimal digits; empty: it has none
 * @param weight as configured
 * @param effectiveWeight what lookup tables are built with: 0 while the real is down by every VIP
 * @param health {@code up}, {@code down}, {@code unknown}
 * @param verified whether this agent has probed it itself; false: taken over from the dataplane at start
 * @param reason why it is in that state, in words
 * @param since when it got into it, ISO 8601
 * @param slots that name it, in the VIP's table where it has most: 0 means none anywhere
 * @param packets forwarded to it since its number was assigned
 * @param bytes of those packets, as they came in
 * @param checks by VIP
 */
public record RealView(
        String service,
        String address,
        String serverId,
        int weight,
        int effectiveWeight,
        String health,
        boolean verified,
        String reason,
        String since,
        int slots,
        long packets,
        long bytes,
        List<CheckView> checks) {
    public RealView {
        checks = List.copyOf(checks);
    }

    /** The real by one VIP: what its probe says, and the slots of that VIP's table that name it. */
    public record CheckView(String vip, String health, String reason, int slots) {}
}
