// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.List;

/** Key paths as messages show them: {@code services[0].reals[2].weight}. */
final class KeyPath {
    private static final int MAX_PART = 60;

    private KeyPath() {}

    static String join(String path, List<String> keys) {
        StringBuilder joined = new StringBuilder(path);
        for (String key : keys) {
            joined.append(joined.length() == 0 ? "" : ".").append(part(key));
        }
        return joined.toString();
    }

    static String join(String path, String key) {
        return join(path, List.of(key));
    }

    static String element(String path, int index) {
        return path + "[" + index + "]";
    }

    private static String part(String key) {
        boolean bare =
                !key.isEmpty() && key.length() <= MAX_PART && key.chars().allMatch(c -> TomlCursor.isBareKey((char) c));
        return bare ? key : Shown.quoted(key);
    }
}
