// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects what is wrong in one file. */
final class Problems {
    private final Path file;
    private final List<Problem> found = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    Problems(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    void add(int line, String key, String message) {
        found.add(new Problem(file, line, key, message));
    }

    /** A problem of the file as a whole. */
    void add(String message) {
        add(0, "", message);
    }

    /** What is allowed, but hardly meant. */
    void warn(int line, String key, String message) {
        warnings.add(new Problem(file, line, key, message));
    }

    /** In the order of lines. */
    List<Problem> warnings() {
        return warnings.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
    }

    int count() {
        return found.size();
    }

    /** In the order of lines. */
    List<Problem> sorted() {
        return found.stream().sorted(Comparator.comparingInt(Problem::line)).toList();
    }
}
