// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Standard output, unbuffered. It remembers that it could not be written, which Java's writers keep to themselves. */
public final class StandardOutput extends OutputStream {
    private static final Path SELF = Path.of("/proc/self/fd/1");
    private static final int TYPE_MASK = 0170000;
    private static final int TYPE_PIPE = 0010000;
    private static final int TYPE_SOCKET = 0140000;

    private final OutputStream out;
    private final BooleanSupplier pipe;
    private volatile @Nullable IOException failure;
    private volatile boolean nobodyReads;

    /** @param pipe whether it goes to another process, and can fail only because that reads no more */
    StandardOutput(OutputStream out, BooleanSupplier pipe) {
        this.out = out;
        this.pipe = pipe;
    }

    /** This process's. */
    public static StandardOutput ofProcess() {
        return new StandardOutput(new FileOutputStream(FileDescriptor.out), StandardOutput::isPipe);
    }

    /** The words of EPIPE are in the user's language; what kind of file it is needs no words. */
    private static boolean isPipe() {
        try {
            int type = (Integer) Files.getAttribute(SELF, "unix:mode") & TYPE_MASK;
            return type == TYPE_PIPE || type == TYPE_SOCKET;
        } catch (IOException e) {
            return false;
        }
    }

    /** Why it could not be written; empty: it could. */
    String problem() {
        IOException failed = failure;
        return failed == null ? "" : String.valueOf(failed.getMessage());
    }

    /** Whether it could not be written since its reader is gone, as head(1) is when it has seen enough. */
    boolean nobodyReads() {
        return nobodyReads;
    }

    @Override
    public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            failure = e;
            nobodyReads = pipe.getAsBoolean(); // now: it may be closed later
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
