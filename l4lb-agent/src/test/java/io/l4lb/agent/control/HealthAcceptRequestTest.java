// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HealthAcceptRequestTest {
    @Test
    void survivesTheWay() {
        for (HealthAcceptRequest request :
                new HealthAcceptRequest[] {new HealthAcceptRequest("web", false), new HealthAcceptRequest("", true)}) {
            assertEquals(request, HealthAcceptRequest.parse(new String(Json.bytes(request), StandardCharsets.UTF_8)));
        }
        assertEquals(new HealthAcceptRequest("web", false), HealthAcceptRequest.parse("{\"service\":\"web\"}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[] | the body is not a JSON object",
                "{} | either a service is named, or all are meant",
                "{\"all\":false} | either a service is named, or all are meant",
                "{\"service\":\"web\",\"all\":true} | either a service is named, or all are meant",
                "{\"all\":\"yes\"} | all: neither true nor false",
                "{\"service\":1} | service: not a string",
                "{\"name\":\"web\"} | unknown key \"name\"",
            })
    void whatCannotBeMeantIsRefused(String body, String error) {
        assertEquals(
                error,
                assertThrows(IllegalArgumentException.class, () -> HealthAcceptRequest.parse(body))
                        .getMessage());
    }
}
