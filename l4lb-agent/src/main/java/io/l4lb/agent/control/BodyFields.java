// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Values in the body of a request that may be left out. */
final class BodyFields {
    private BodyFields() {}

    /** Left out: an empty one. */
    static String text(JsonNode tree, String key) {
        return tree.path(key).isMissingNode() ? "" : ExplainRequest.text(tree, key);
    }

    /** Left out: none. */
    static List<String> texts(JsonNode tree, String key) {
        JsonNode values = tree.path(key);
        if (!values.isMissingNode() && !values.isArray()) {
            throw new IllegalArgumentException(key + ": not a list");
        }
        List<String> texts = new ArrayList<>();
        for (JsonNode value : values) {
            if (!value.isTextual()) {
                throw new IllegalArgumentException(key + ": not a list of strings");
            }
            texts.add(value.asText());
        }
        return texts;
    }

    static long number(JsonNode tree, String key, long otherwise) {
        JsonNode value = tree.path(key);
        if (value.isMissingNode()) {
            return otherwise;
        }
        if (!value.canConvertToLong() || !value.isIntegralNumber()) {
            throw new IllegalArgumentException(key + ": not a whole number");
        }
        return value.asLong();
    }

    static void address(String key, String text) {
        if (text.indexOf('/') >= 0) {
            throw new IllegalArgumentException(key + ": \"" + text + "\" is not an address");
        }
        try {
            AddressRange.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(key + ": \"" + text + "\" is not an address", e);
        }
    }

    static void within(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(key + ": " + value + " is not within " + least + " to " + most);
        }
    }
}
