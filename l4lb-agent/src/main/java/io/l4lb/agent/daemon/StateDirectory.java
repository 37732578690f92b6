// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The agent's directory, held by a lock that ends with the process: two agents never write to one dataplane. */
final class StateDirectory implements AutoCloseable {
    private final Path directory;
    private final FileChannel channel;

    private StateDirectory(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    static StateDirectory lock(Path directory) {
        Path file = directory.resolve("agent.lock");
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!locked(channel)) {
                channel.close();
                throw new DataplaneException("another agent is running: it holds " + file);
            }
            return new StateDirectory(directory, channel);
        } catch (IOException e) {
            throw new DataplaneException("cannot use state-dir " + directory + ": " + FileProblem.words(e), e);
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // held by this very process
        }
    }

    /** The route speaker's part of it. */
    static Path bgp(Path directory) {
        return directory.resolve("bgp");
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
