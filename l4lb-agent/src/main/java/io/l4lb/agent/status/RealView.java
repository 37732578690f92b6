// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * A real of one service. A view is a row: its components are its columns, however many they are.
 *
 * @param weight as configured
 * @param effectiveWeight what the lookup table was built with: 0 while the real is down
 * @param health {@code up}, {@code down}, {@code unknown}
 * @param verified whether this agent has probed it itself; false: taken over from the dataplane at start
 * @param reason why it is in that state, in words
 * @param since when it got into it, ISO 8601
 * @param slots of the service's lookup table that name it
 * @param packets forwarded to it since its number was assigned
 * @param bytes of those packets, as they came in
 * @param checks the probes of it, one a VIP
 */
public record RealView(
        String service,
        String address,
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

    /** The state of one probe: of the real by one VIP. */
    public record CheckView(String vip, String health, String reason) {}
}
