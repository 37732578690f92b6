// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

/**
 * What is replaced in a good file, by what, and the problems that this leads to, each as {@code line: key: message}.
 */
record Edit(String from, String to, List<String> problems) {
    static Edit of(String from, String to, String... problems) {
        return new Edit(from, to, List.of(problems));
    }

    String apply(String good) {
        int at = good.indexOf(from);
        assertTrue(at >= 0, from);
        return good.substring(0, at) + to + good.substring(at + from.length());
    }

    static List<String> problems(LoadResult result) {
        return result.problems().stream()
                .map(p -> p.line() + ": " + (p.key().isEmpty() ? "" : p.key() + ": ") + p.message())
                .toList();
    }
}
