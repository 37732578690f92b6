// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;

/**
 * IPVS's connection table as a file, of the network namespace of the thread that opens it; for any one thread. It is read
 * line by line. A kernel before 6.14 walks its table from the beginning for each page of it, so that reading a million
 * entries takes minutes.
 */
final class ConnectionFile implements AutoCloseable {
    /** Of the calling thread's network namespace. */
    static final Path OF_THREAD = Path.of("/proc/thread-self/net/ip_vs_conn");

    private static final String TITLES = "Pro ";

    private final Path path;
    private final SeekableByteChannel channel;

    private ConnectionFile(Path path, SeekableByteChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Opens it.
     *
     * @throws DataplaneException it cannot be
     */
    static ConnectionFile open(Path path) {
        try {
            return new ConnectionFile(path, Files.newByteChannel(path));
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private static DataplaneException unreadable(Path path, IOException e) {
        return new DataplaneException("cannot read IPVS's connections, " + path + ": " + FileProblem.words(e), e);
    }

    /**
     * Visits all entries, from the first one on.
     *
     * @param visitor whether to go on
     * @return whether it has seen all of them
     * @throws DataplaneException it cannot be read, or has a line that says nothing to us: another kernel's format
     */
    boolean read(Predicate<Connection> visitor) {
        try {
            // Closing the reader would close the channel, which may be read once more.
            BufferedReader lines =
                    new BufferedReader(Channels.newReader(channel.position(0), StandardCharsets.ISO_8859_1));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.startsWith(TITLES) && !line.isBlank() && !visitor.test(parsed(line))) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }

    private Connection parsed(String line) {
        try {
            return Connection.parse(line);
        } catch (IllegalArgumentException e) {
            throw new DataplaneException(
                    path + " has a line that cannot be read (" + e.getMessage() + "): \"" + line.strip() + "\"", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw unreadable(path, e);
        }
    }
}
