// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.LookupTable;
import io.l4lb.test.Frame;
import io.l4lb.xdp.TestRun;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;

/** A client's TCP flow to a service, and what the attached program makes of its packets. */
record ClientFlow(String source, int port, ServiceKey service) {
    private static final int XDP_TX = 3;
    private static final int ETHERNET = 14;

    /**
     * Where a packet was sent.
     *
     * @param real the outer destination
     * @param gateway the frame's destination, as ip(8) shows it
     */
    record Sent(InetAddress real, String gateway) {}

    static ClientFlow random(Random random, ServiceKey service) {
        String host = Integer.toHexString(1 + random.nextInt(0xfffe));
        String source = service.vip() instanceof Inet4Address
                ? "198.51.%d.%d".formatted(random.nextInt(256), 1 + random.nextInt(254))
                : "2001:db8:1::" + host;
        return new ClientFlow(source, 1024 + random.nextInt(60_000), service);
    }

    FlowKey key() {
        return new FlowKey(
                ip(source),
                port,
                service.vip(),
                service.port(),
                service.protocol().number());
    }

    /** The real that a table has for it. */
    InetAddress realIn(LookupTable table) {
        return ip(table.realOf(key().hash(Samples.SEED)).orElseThrow());
    }

    private TestRun run(int flags) {
        return DirectorLab.run(Frame.tcp(source, port, service.vip().getHostAddress(), service.port())
                .flags(flags)
                .bytes());
    }

    /** Sends one packet of an established connection; it must be forwarded. */
    Sent send() {
        return sent(run(Frame.ACK));
    }

    /** What becomes of one packet of an established connection. */
    TestRun run() {
        return run(Frame.ACK);
    }

    /** Sends the packet that opens a connection. */
    Sent open() {
        return sent(run(Frame.SYN));
    }

    /** Sends one packet; what it became, if it was forwarded. */
    Optional<Sent> trySend() {
        TestRun run = run(Frame.ACK);
        return run.returnValue() == XDP_TX ? Optional.of(sent(run)) : Optional.empty();
    }

    /** Where a packet was sent; it must be forwarded. */
    static Sent sent(TestRun run) {
        assertEquals(XDP_TX, run.returnValue());
        byte[] packet = run.packet();
        boolean ipv4 = packet[12] == 0x08;
        int destination = ETHERNET + (ipv4 ? 16 : 24);
        String gateway = HexFormat.ofDelimiter(":").formatHex(packet, 0, 6);
        return new Sent(address(Arrays.copyOfRange(packet, destination, destination + (ipv4 ? 4 : 16))), gateway);
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
