// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import io.l4lb.agent.file.FileBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Reads a TOML file up to the tree of its tables. */
final class TomlFile {
    /** Larger files are no configuration. */
    static final int MAX_BYTES = 16 << 20;

    private static final TomlMapper MAPPER = new TomlMapper();
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private TomlFile() {}

    /** The table that the file is; absent, with problems, if it cannot be read or is not TOML. */
    static Optional<Table> read(Path file, Problems problems) {
        byte[] bytes;
        try {
            bytes = FileBytes.read(file, MAX_BYTES);
        } catch (IOException e) {
            problems.add(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
        return decode(bytes, problems).flatMap(text -> parse(text, problems));
    }

    private static Optional<String> decode(byte[] bytes, Problems problems) {
        CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        CharBuffer chars = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, true);
        String text = chars.flip().toString();
        if (result.isError()) {
            problems.add(SyntaxError.lineOf(text, text.length()), "", "is not UTF-8");
            return Optional.empty();
        }
        return Optional.of(text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text);
    }

    static Optional<Table> parse(String text, Problems problems) {
        TomlLines lines = TomlLines.of(text);
        String once = lines.duplicates().isEmpty() ? text : lines.textWithoutDuplicates();
        int broken = 0;
        JsonNode tree = null;
        try {
            tree = MAPPER.readTree(once);
        } catch (JsonProcessingException | RuntimeException e) {
            // The parser's own slips on strange input (a date of the 45th) are errors of the input as well.
            broken = SyntaxError.line(e, once, lines.firstBroken());
            problems.add(broken, "", SyntaxError.message(e, once));
        }
        for (TomlLines.Duplicate duplicate : lines.duplicates()) {
            if (broken == 0 || duplicate.line() < broken) {
                String what = duplicate.table() ? "is already defined in line " : "is already set in line ";
                problems.add(duplicate.line(), duplicate.path(), what + duplicate.firstLine());
            }
        }
        return tree == null ? Optional.empty() : Optional.of(new Table(problems, "", tree, lines.root()));
    }
}
