// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.file.FileBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;

/** The file that holds the seed of the hash, the same on every director of a site. */
final class SeedFile {
    private static final Pattern SEED = Pattern.compile("[0-9a-f]{32}");
    private static final int MAX_BYTES = 1024;

    private SeedFile() {}

    /**
     * Reads the seed.
     *
     * @return 32 hexadecimal digits, lower case
     * @throws IOException with a message for the operator: the file cannot be read, or holds something else
     */
    static String readSeed(Path file) throws IOException {
        String text = new String(FileBytes.read(file, MAX_BYTES), StandardCharsets.ISO_8859_1);
        String seed = text.strip().toLowerCase(Locale.ROOT);
        if (!SEED.matcher(seed).matches()) {
            throw new IOException("does not hold 32 hexadecimal digits");
        }
        return seed;
    }
}
