// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.hashing.FlowKey;
import io.l4lb.test.Frame;
import java.net.Inet4Address;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A client's UDP packet to a service with a payload of its own. Its checksum is not right, and nobody looks at it.
 *
 * @param payload hexadecimal digits
 */
record Datagram(String source, int port, ServiceKey service, String payload) {
    private static final int ETHERNET = 14;
    private static final int UDP = 8;

    /** To the service, from the client that these tests have by that service's family. */
    static Datagram to(ServiceKey service, String payload) {
        boolean ipv4 = service.vip() instanceof Inet4Address;
        return new Datagram(ipv4 ? "198.51.100.7" : "2001:db8:1::7", 40000, service, payload);
    }

    FlowKey key() {
        return new FlowKey(ip(source), port, service.vip(), service.port(), Frame.UDP);
    }

    byte[] frame() {
        byte[] frame = Frame.udp(source, port, service.vip().getHostAddress(), service.port())
                .payload(payload.length() / 2)
                .bytes();
        byte[] bytes = HexFormat.of().parseHex(payload);
        System.arraycopy(bytes, 0, frame, frame.length - bytes.length, bytes.length);
        return frame;
    }

    /** The same bytes, of which UDP says that the last few are none of its own. */
    byte[] frameWithout(int bytes) {
        byte[] frame = frame();
        int length = ETHERNET + (service.vip() instanceof Inet4Address ? 20 : 40) + 4;
        ByteBuffer.wrap(frame).putShort(length, (short) (UDP + payload.length() / 2 - bytes));
        return frame;
    }
}
