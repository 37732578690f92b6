// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads whole files, with reasons that an operator understands. */
public final class FileBytes {
    private FileBytes() {}

    /**
     * Reads a regular file.
     *
     * @throws IOException whose message says in a few words, without the path, why it cannot be read
     */
    public static byte[] read(Path file, int maxBytes) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("is not a regular file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(maxBytes + 1);
        } catch (NoSuchFileException e) {
            throw new IOException("does not exist", e);
        } catch (IOException e) {
            throw new IOException("cannot be read: " + FileProblem.words(e), e);
        }
        if (bytes.length > maxBytes) {
            throw new IOException("is too large: more than " + size(maxBytes));
        }
        return bytes;
    }

    private static String size(int bytes) {
        return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
    }
}
