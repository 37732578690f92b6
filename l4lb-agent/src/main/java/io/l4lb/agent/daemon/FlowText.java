// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.packet.IpProtocol;
import java.net.InetAddress;

/** Flow keys in words: {@code tcp 10.1.0.2:1234 > 192.0.2.10:80}. */
final class FlowText {
    private FlowText() {}

    static String of(FlowKey key) {
        return protocol(key.protocol()) + " " + endpoint(key.source(), key.sourcePort()) + " > "
                + endpoint(key.vip(), key.vipPort());
    }

    private static String protocol(int number) {
        return switch (number) {
            case IpProtocol.ICMP -> "icmp";
            case IpProtocol.ICMPV6 -> "icmpv6";
            default -> Protocol.ofNumber(number).map(Protocol::key).orElse("protocol " + number);
        };
    }

    private static String endpoint(InetAddress address, int port) {
        String text = IpText.of(address);
        if (port == 0) {
            return text;
        }
        return (text.contains(":") ? "[" + text + "]" : text) + ":" + port;
    }
}
