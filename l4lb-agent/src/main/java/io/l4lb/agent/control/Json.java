// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * The JSON of the control socket and of {@code -o json}. Components of records become the configuration's keys:
 * {@code tableSize} is {@code "table-size"}.
 */
public final class Json {
    // An agent newer than the command line may tell more than that knows.
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(new KeyNames())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    private Json() {}

    /** On one line, UTF-8. */
    public static byte[] bytes(Object value) {
        try {
            return MAPPER.writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON for " + value.getClass().getName(), e);
        }
    }

    /** On many lines, without a line end at the end. */
    public static String pretty(Object value) {
        try {
            return prettyWriter().writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("no JSON for " + value.getClass().getName(), e);
        }
    }

    /**
     * Reads exactly one JSON value.
     *
     * @throws JsonProcessingException it is not JSON, or an object has a key twice
     */
    public static JsonNode parse(String text) throws JsonProcessingException {
        return MAPPER.readTree(text);
    }

    /**
     * The record that {@code tree} describes.
     *
     * @throws JsonProcessingException it describes something else
     */
    public static <T> T read(JsonNode tree, Class<T> type) throws JsonProcessingException {
        return MAPPER.treeToValue(tree, type);
    }

    private static ObjectWriter prettyWriter() {
        DefaultIndenter lines = new DefaultIndenter("  ", "\n");
        Separators separators = Separators.createDefaultInstance()
                .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
                .withObjectEmptySeparator("")
                .withArrayEmptySeparator("");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(separators);
        printer.indentArraysWith(lines);
        printer.indentObjectsWith(lines);
        return MAPPER.writer(printer);
    }

    /** Kebab case, and the one name that is a word of Java. */
    private static final class KeyNames extends PropertyNamingStrategies.KebabCaseStrategy {
        private static final long serialVersionUID = 1L;

        @Override
        public String translate(String input) {
            return input.equals("interfaceName") ? "interface" : super.translate(input);
        }
    }
}
