// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests for flows and captures, as JSON. */
final class ObservingRequestsTest {
    private static String json(Object value) {
        return new String(Json.bytes(value), StandardCharsets.UTF_8);
    }

    @Test
    void surviveTheWay() {
        Selection selection = new Selection("web", "192.0.2.10", "10.1.0.0/16");
        FlowsRequest flows = new FlowsRequest(selection, "tcp", 80, "10.0.1.1", "closing", 7);
        CaptureRequest capture = new CaptureRequest(selection, List.of("drop-ttl"), "after", 1000, 10, 60);
        assertEquals(flows, FlowsRequest.parse(json(flows)));
        assertEquals(capture, CaptureRequest.parse(json(capture)));
    }

    @Test
    void mayBeEmpty() {
        assertEquals(new FlowsRequest(Selection.ALL, "", FlowsRequest.NO_PORT, "", "", 0), FlowsRequest.parse("{}"));
        assertEquals(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0), CaptureRequest.parse("{}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "[] | the body is not a JSON object",
                "{\"limit\":\"1\"} | limit: not a whole number",
                "{\"limit\":1.5} | limit: not a whole number",
                "{\"limit\":-1} | limit: -1 is not within 0 to 9223372036854775807",
                "{\"port\":65536} | port: 65536 is not within -1 to 65535",
                "{\"port\":99999999999} | port: 2147483647 is not within -1 to 65535",
                "{\"protocol\":\"icpm\"} | protocol: \"icpm\" is none of tcp, udp, dccp, sctp, udplite, gre, esp, ah, and no number up to 255",
                "{\"state\":\"new\"} | state: \"new\" is none of opening, established, closing, other",
                "{\"real\":\"10.0.0.0/8\"} | real: \"10.0.0.0/8\" is not an address",
                "{\"selection\":{\"vip\":\"x\"}} | vip: \"x\" is not an address",
                "{\"selection\":{\"service\":1}} | service: not a string",
                "{\"selection\":{\"real\":\"\"}} | unknown key \"real\"",
                "{\"vip\":\"192.0.2.10\"} | unknown key \"vip\"",
            })
    void flowsThatCannotBeMeant(String body, String error) {
        assertEquals(
                error,
                assertThrows(IllegalArgumentException.class, () -> FlowsRequest.parse(body))
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{\"stage\":\"middle\"} | stage: \"middle\" is none of before, after, both",
                "{\"every\":0} | every: 0 is not within 1 to 2147483647",
                "{\"every\":4294967297} | every: 4294967297 is not within 1 to 2147483647",
                "{\"count\":-1} | count: -1 is not within 0 to 9223372036854775807",
                "{\"seconds\":true} | seconds: not a whole number",
                "{\"verdicts\":\"drop-ttl\"} | verdicts: not a list",
                "{\"verdicts\":[1]} | verdicts: not a list of strings",
                "{\"file\":\"x\"} | unknown key \"file\"",
            })
    void capturesThatCannotBeMeant(String body, String error) {
        assertEquals(
                error,
                assertThrows(IllegalArgumentException.class, () -> CaptureRequest.parse(body))
                        .getMessage());
    }
}
