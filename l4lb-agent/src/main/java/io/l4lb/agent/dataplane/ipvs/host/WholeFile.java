// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileBytes;
import io.l4lb.agent.file.FileProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Small files of JSON that are either written whole or stay as they were. They survive the agent, and need not survive the
 * machine: nothing waits for the disk.
 */
final class WholeFile {
    /** What a file is called while it is written. */
    static final String UNFINISHED = ".new";

    /** Larger ones are none of ours. */
    private static final int MAX_BYTES = 64 << 20;

    private WholeFile() {}

    /** @throws DataplaneException it cannot be written (a full disk); what was there is still there */
    static void write(Path file, byte[] content) {
        Path fresh = file.resolveSibling(file.getFileName() + UNFINISHED);
        try {
            Files.write(fresh, content);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            discard(fresh, e);
            throw new DataplaneException("cannot write " + file + ": " + FileProblem.words(e), e);
        }
    }

    private static void discard(Path fresh, IOException why) {
        try {
            Files.deleteIfExists(fresh);
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /**
     * The record that a file holds.
     *
     * @throws IOException in a few words, without the file's name: why it holds none
     */
    static <T> T read(Path file, Class<T> type) throws IOException {
        byte[] bytes = FileBytes.read(file, MAX_BYTES);
        if (bytes.length == 0) {
            throw new IOException("is empty");
        }
        try {
            return Json.read(Json.parse(new String(bytes, StandardCharsets.UTF_8)), type);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            throw new IOException("is not what the agent writes", e);
        }
    }

    /** @throws DataplaneException it cannot be removed */
    static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new DataplaneException("cannot remove " + file + ": " + FileProblem.words(e), e);
        }
    }

    /** @throws DataplaneException it cannot be made */
    static Path directory(Path directory) {
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new DataplaneException("cannot use " + directory + ": " + FileProblem.words(e), e);
        }
    }
}
