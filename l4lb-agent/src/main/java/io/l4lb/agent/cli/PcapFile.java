// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Packets in the classic format of libpcap, which every such tool reads: microseconds, Ethernet, little-endian
 * (draft-ietf-opsawg-pcap, sections 4 and 5). Each record is one write, so that the file is whole whenever it ends.
 */
final class PcapFile implements AutoCloseable {
    /** {@code L4LB_CAPTURE_BYTES}. */
    private static final int SNAP_LENGTH = 2048;

    private static final int MAGIC = 0xa1b2c3d4;
    private static final short MAJOR = 2;
    private static final short MINOR = 4;
    private static final int ETHERNET = 1;
    private static final int HEADER = 24;
    private static final int RECORD_HEADER = 16;
    private static final long MICROSECONDS = 1_000_000;

    private final OutputStream out;

    /** A file that begins now. */
    PcapFile(OutputStream out) throws IOException {
        this.out = out;
        out.write(ByteBuffer.allocate(HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort(MAJOR)
                .putShort(MINOR)
                .putInt(0) // reserved
                .putInt(0) // reserved
                .putInt(SNAP_LENGTH)
                .putInt(ETHERNET)
                .array());
        out.flush();
    }

    /**
     * Adds a packet.
     *
     * @param time microseconds since 1970
     * @param length of the whole frame
     * @param captured the beginning of it
     */
    void add(long time, int length, byte[] captured) throws IOException {
        out.write(ByteBuffer.allocate(RECORD_HEADER + captured.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) Math.floorDiv(time, MICROSECONDS))
                .putInt((int) Math.floorMod(time, MICROSECONDS))
                .putInt(captured.length)
                .putInt(length)
                .put(captured)
                .array());
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
