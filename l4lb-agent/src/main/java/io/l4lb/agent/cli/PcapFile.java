// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

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
    private final Optional<FileChannel> file;
    private long whole;

    /** A stream that begins now. */
    PcapFile(OutputStream out) throws IOException {
        this(out, Optional.empty());
    }

    /** @param file where that stream goes, if that is a file */
    PcapFile(OutputStream out, Optional<FileChannel> file) throws IOException {
        this.out = out;
        this.file = file;
        write(ByteBuffer.allocate(HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort(MAJOR)
                .putShort(MINOR)
                .putInt(0) // reserved
                .putInt(0) // reserved
                .putInt(SNAP_LENGTH)
                .putInt(ETHERNET)
                .array());
    }

    /** A file that begins now, in the place of what was there. */
    static PcapFile create(Path path) throws IOException {
        FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        try {
            return new PcapFile(Channels.newOutputStream(channel), Optional.of(channel));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Adds a packet.
     *
     * @param time microseconds since 1970
     * @param length of the whole frame
     * @param captured the beginning of it
     */
    void add(long time, int length, byte[] captured) throws IOException {
        write(ByteBuffer.allocate(RECORD_HEADER + captured.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) Math.floorDiv(time, MICROSECONDS))
                .putInt((int) Math.floorMod(time, MICROSECONDS))
                .putInt(captured.length)
                .putInt(length)
                .put(captured)
                .array());
    }

    private void write(byte[] record) throws IOException {
        try {
            out.write(record);
            out.flush();
        } catch (IOException e) {
            takeBackTheRest();
            throw e;
        }
        whole += record.length;
    }

    /** A disk that is full may have taken half a record. */
    private void takeBackTheRest() throws IOException {
        if (file.isPresent() && file.get().size() > whole) {
            file.get().truncate(whole);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
