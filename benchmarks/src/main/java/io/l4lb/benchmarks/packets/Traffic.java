// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The packets of a case, Ethernet headers included. Of more than one flow, each packet belongs to the next one: port 1024
 * and the following 16383, then the next source address. Checksums are those of the frame, whatever the flow: the
 * balancer looks at none.
 */
final class Traffic {
    /** Of the source address in an IPv4 packet. */
    static final int SOURCE_OFFSET = 26;
    /** Of the source port behind an IPv4 header without options. */
    static final int PORT_OFFSET = 34;

    private static final int FIRST_PORT = 1024;
    private static final int PORTS_A_CLIENT = 1 << 14;

    private final byte[] frame;
    private final byte[] opening;
    private final int flows;

    private Traffic(byte[] frame, byte[] opening, int flows) {
        if (Integer.bitCount(flows) != 1) {
            throw new IllegalArgumentException(flows + " is not a power of two");
        }
        this.frame = frame;
        this.opening = opening;
        this.flows = flows;
    }

    /** The same frame again and again. */
    static Traffic of(byte[] frame) {
        return of(frame, 1);
    }

    /**
     * The frame's flow, and the ones that follow it.
     *
     * @param frame TCP over IPv4 without options
     * @param flows a power of two
     */
    static Traffic of(byte[] frame, int flows) {
        return new Traffic(frame.clone(), new byte[0], flows);
    }

    /** The same, but it is to find what another packet leaves behind, which has to be sent before. */
    Traffic after(byte[] first) {
        return new Traffic(frame, first.clone(), flows);
    }

    Traffic atMost(int otherFlows) {
        return new Traffic(frame, opening, Math.min(flows, otherFlows));
    }

    /** The packet of flow 0. */
    byte[] frame() {
        return frame.clone();
    }

    /** The packet that is to be sent before; empty: none. */
    Optional<byte[]> opening() {
        return opening.length == 0 ? Optional.empty() : Optional.of(opening.clone());
    }

    int flows() {
        return flows;
    }

    /** The source address of flow 0, of IPv4. */
    int source() {
        return ByteBuffer.wrap(frame).getInt(SOURCE_OFFSET);
    }

    /** The source address of a flow, of IPv4. */
    InetAddress client(int flow) {
        byte[] address = ByteBuffer.allocate(Integer.BYTES)
                .putInt(source() + flow / PORTS_A_CLIENT)
                .array();
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** The source port of one flow of many. */
    static int port(int flow) {
        return FIRST_PORT + flow % PORTS_A_CLIENT;
    }
}
