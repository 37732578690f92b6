// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import com.fasterxml.jackson.databind.JsonNode;

/** Says what stands where something else was expected. */
final class Found {
    private Found() {}

    static String instead(String expected, JsonNode value, TomlNode node) {
        return "expected " + expected + ", found " + describe(value, node);
    }

    private static String describe(JsonNode value, TomlNode node) {
        if (value.isObject()) {
            return "a table";
        }
        if (value.isArray()) {
            return "an array";
        }
        if (node.kind() == TomlNode.Kind.STRING) {
            return "the string " + Shown.quoted(value.asText());
        }
        // The parser hands out dates and times as strings; only the text of the file tells them apart.
        return (value.isNumber() ? "the number " : "") + Shown.plain(node.bareText());
    }
}
