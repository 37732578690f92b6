// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.ipvs.Timeouts;
import io.l4lb.ipvs.VirtualAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * For how long connections have had no packet: each packet sets the time that is left to the timeout of the state
 * (tcp_timeouts in ip_vs_proto_tcp.c, three of which can be set).
 *
 * @param timeouts as they are now. Connections that have had no packet since these were changed have others
 */
record IdleTimes(Timeouts timeouts) {
    /** Empty: the timeout of its state is not known, or is not what it was when its last packet came. */
    Optional<Duration> of(Connection connection) {
        return timeout(connection)
                .map(timeout -> timeout.minus(connection.left()))
                .filter(idle -> !idle.isNegative());
    }

    private Optional<Duration> timeout(Connection connection) {
        if (connection.flow().protocol() == VirtualAddress.UDP) {
            return Optional.of(timeouts.udp());
        }
        if (!connection.isTcp()) {
            return Optional.empty();
        }
        return switch (connection.state()) {
            case "ESTABLISHED" -> Optional.of(timeouts.tcp());
            case "FIN_WAIT" -> Optional.of(timeouts.tcpFin());
            case "SYN_SENT", "TIME_WAIT", "SYNACK" -> Optional.of(Duration.ofMinutes(2));
            case "SYN_RECV", "CLOSE_WAIT" -> Optional.of(Duration.ofMinutes(1));
            case "LAST_ACK" -> Optional.of(Duration.ofSeconds(30));
            case "CLOSE" -> Optional.of(Duration.ofSeconds(10));
            default -> Optional.empty();
        };
    }
}
