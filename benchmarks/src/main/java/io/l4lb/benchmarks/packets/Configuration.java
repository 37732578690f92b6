// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the agent is configured to do while packets are timed.
 *
 * @param interfaceName where the balancer is attached
 * @param pinDirectory on a bpffs
 * @param servicesDirectory an empty one
 * @param flowTableSize flows that are remembered, of all processors together
 * @param newFlowLimit flows a second that are remembered at most
 */
record Configuration(
        String interfaceName, String pinDirectory, String servicesDirectory, int flowTableSize, int newFlowLimit) {
    /** Of the flow hash. */
    static final String SEED = "0706050403020100f0e0d0c0b0a09080";
    /** In connection IDs, of the first real. */
    static final String SERVER_ID = "0001";
    /** One octet with the rotation bits, the server ID, a nonce. */
    static final int CONNECTION_ID_LENGTH = 8;

    private static final int REALS = 10;

    String toml() {
        return """
                [agent]
                services-dir = "%s"

                [xdp]
                interfaces = ["%s"]
                mode = "native"
                pin-dir = "%s"
                mtu = 1500
                flow-table-size = %d
                new-flow-limit = %d
                """.formatted(servicesDirectory, interfaceName, pinDirectory, flowTableSize, newFlowLimit)
                + service("tcp4", Vips.IPV4, "tcp", Vips.TCP_PORT, "ipip", "10.0.1.%d")
                + service("udp4", Vips.IPV4, "udp", Vips.UDP_PORT, "ipip", "10.0.1.%d")
                + service("tcp6", Vips.IPV6, "tcp", Vips.TCP_PORT, "ipip", "fd00:1::%d")
                + service("tcp4in6", Vips.IPV4_TO_IPV6, "tcp", Vips.TCP_PORT, "ipip", "fd00:1::%d")
                + service("tcp4-gue", Vips.GUE, "tcp", Vips.TCP_PORT, "gue", "10.0.1.%d")
                + quic();
    }

    private static String service(
            String name, String vip, String protocol, int port, String forwarding, String realPattern) {
        return header(name, vip, protocol, port)
                + "forwarding = \"%s\"\nreals = [%s]\n"
                        .formatted(
                                forwarding,
                                IntStream.rangeClosed(1, REALS)
                                        .mapToObj(real -> "{ address = \"" + realPattern.formatted(real) + "\" }")
                                        .collect(Collectors.joining(", ")));
    }

    private static String quic() {
        return header("quic4", Vips.IPV4, "udp", Vips.QUIC_PORT)
                + """
                hash-key = "quic-cid"
                quic = { cid-length = %d, server-id-length = %d, rotation = 0 }
                reals = [%s]
                """.formatted(
                                CONNECTION_ID_LENGTH,
                                SERVER_ID.length() / 2,
                                IntStream.rangeClosed(1, REALS)
                                        .mapToObj(real -> "{ address = \"10.0.1.%d\", server-id = \"%04x\" }"
                                                .formatted(real, real))
                                        .collect(Collectors.joining(", ")));
    }

    private static String header(String name, String vip, String protocol, int port) {
        return """

                [[services]]
                name = "%s"
                vips = ["%s"]
                protocol = "%s"
                port = %d
                """.formatted(name, vip, protocol, port);
    }
}
