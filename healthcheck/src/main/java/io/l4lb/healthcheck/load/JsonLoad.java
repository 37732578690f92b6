// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;

/** One number from 0.0 to 1.0 in a body of JSON (RFC 8259). */
public final class JsonLoad {
    static final ObjectReader STRICT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(64)
                            .maxNumberLength(64)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build()
            .reader();

    private JsonLoad() {}

    /**
     * Reads a body; never throws.
     *
     * @param pointer to the number (RFC 6901)
     * @param body all of it, UTF-8
     */
    public static LoadReading parse(String pointer, byte[] body) {
        JsonNode found;
        try {
            JsonNode root = STRICT.readTree(body);
            found = root.at(JsonPointer.compile(pointer));
        } catch (JsonProcessingException e) {
            return LoadReading.failed("the body is not JSON: " + Shown.words(e.getOriginalMessage()));
        } catch (IOException | IllegalArgumentException e) {
            return LoadReading.failed("the body is not JSON: " + Shown.words(String.valueOf(e.getMessage())));
        }
        if (found.isMissingNode()) {
            return LoadReading.failed("the body has nothing at " + pointer);
        }
        double number = found.isNumber() ? found.doubleValue() : -1;
        return number >= 0 && number <= 1
                ? LoadReading.of(LoadReport.ofUtilization(number))
                : LoadReading.failed(
                        pointer + ": " + Shown.quoted(found.toString()) + " is not a number from 0.0 to 1.0");
    }
}
