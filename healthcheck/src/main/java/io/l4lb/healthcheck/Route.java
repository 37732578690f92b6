// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.net.InetAddress;
import java.util.Objects;

/**
 * How a probe gets to its real.
 *
 * @param real where the tunnel ends; the real itself if there is none
 * @param mark SO_MARK of its packets (32 bits), by which the kernel encapsulates them to that real; 0: they are sent directly
 * @param packetSize the probe has to get an IP packet of this many octets (before encapsulation) through to the real, unfragmented;
 *     0: this is not asked
 */
public record Route(InetAddress real, int mark, int packetSize) {
    static final int LEAST_PACKET = 576;
    static final int LARGEST_PACKET = 65535;

    public Route {
        Objects.requireNonNull(real, "real");
        if (packetSize != 0 && (packetSize < LEAST_PACKET || packetSize > LARGEST_PACKET)) {
            throw new IllegalArgumentException(
                    "a packet has " + LEAST_PACKET + " to " + LARGEST_PACKET + " octets: " + packetSize);
        }
    }

    public static Route direct(InetAddress real) {
        return new Route(real, 0, 0);
    }

    public boolean isDirect() {
        return mark == 0;
    }

    /** How something was sent: {@code through tunnel to 10.0.1.1}, or {@code to 10.0.1.1}. */
    public String words() {
        return (isDirect() ? "to " : "through tunnel to ") + real.getHostAddress();
    }
}
