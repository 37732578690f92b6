// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import java.nio.ByteBuffer;

/** TCP and UDP headers in bytes, with checksums that nobody on the way looks at. */
final class Transport {
    static final int TCP_HEADER = 20;
    static final int UDP_HEADER = 8;

    private Transport() {}

    /**
     * A TCP segment.
     *
     * @param dataOffset words that the header claims to have
     */
    static byte[] tcp(int sourcePort, int port, int dataOffset, int flags, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(TCP_HEADER + payload.length);
        out.putShort((short) sourcePort).putShort((short) port).putInt(1000).putInt(2000);
        out.put((byte) (dataOffset << 4))
                .put((byte) flags)
                .putShort((short) 512)
                .putInt(0xabcd0000);
        return out.put(payload).array();
    }

    /**
     * A UDP datagram.
     *
     * @param extraLength by how much its own length is wrong
     */
    static byte[] udp(int sourcePort, int port, int extraLength, byte[] payload) {
        ByteBuffer out = ByteBuffer.allocate(UDP_HEADER + payload.length);
        out.putShort((short) sourcePort).putShort((short) port);
        out.putShort((short) (UDP_HEADER + payload.length + extraLength)).putShort((short) 0xabcd);
        return out.put(payload).array();
    }
}
