// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Octets;
import java.time.Duration;

/**
 * How long connections without packets are kept, in whole seconds (IPVS_CMD_ATTR_TIMEOUT_, unsigned 32 bits in host byte
 * order). Set to 0, one stays as it is; a kernel that cannot balance a protocol reports 0.
 *
 * @param tcp established TCP; the kernel's default is 15 minutes
 * @param tcpFin TCP that is closing; 2 minutes
 * @param udp 5 minutes
 */
public record Timeouts(Duration tcp, Duration tcpFin, Duration udp) {
    private static final int TCP = 4;
    private static final int TCP_FIN = 5;
    private static final int UDP = 6;

    public Timeouts {
        Seconds.check("TCP timeout", tcp, Integer.MAX_VALUE);
        Seconds.check("TCP FIN timeout", tcpFin, Integer.MAX_VALUE);
        Seconds.check("UDP timeout", udp, Integer.MAX_VALUE);
    }

    Octets encode() {
        return new AttributeWriter()
                .u32Host(TCP, (int) tcp.toSeconds())
                .u32Host(TCP_FIN, (int) tcpFin.toSeconds())
                .u32Host(UDP, (int) udp.toSeconds())
                .toOctets();
    }

    static Timeouts decode(AttributeReader attributes) {
        return new Timeouts(seconds(attributes, TCP), seconds(attributes, TCP_FIN), seconds(attributes, UDP));
    }

    private static Duration seconds(AttributeReader attributes, int type) {
        return Duration.ofSeconds(
                attributes.find(type).map(value -> value.u32Host(0)).orElse(0L));
    }
}
