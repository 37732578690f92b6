// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Where the tables of a file, and the keys in them, stand.
 *
 * @param lines by path, as {@code xdp} and {@code xdp.mtu}
 */
public record KeyLines(Map<String, Integer> lines) {
    /** Of a file that could not be read. */
    public static final KeyLines UNKNOWN = new KeyLines(Map.of());

    public KeyLines {
        lines = Map.copyOf(lines);
    }

    static KeyLines in(TomlNode root) {
        Map<String, Integer> lines = new HashMap<>();
        root.children().forEach((table, node) -> {
            lines.put(table, node.line());
            node.children().forEach((key, value) -> lines.put(table + "." + key, value.line()));
        });
        return new KeyLines(lines);
    }

    /** The line of a key; if it is not there, that of its table; 0: there is neither. */
    public int of(String path) {
        int dot = path.indexOf('.');
        return Optional.ofNullable(lines.get(path)).orElseGet(() -> dot < 0 ? 0 : of(path.substring(0, dot)));
    }
}
