// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Whose health is asked for; the JSON body of {@code POST /v1/health} and {@code /v1/health/probe}. What is empty does not matter.
 *
 * @param service its name
 * @param real an address literal
 * @param vip likewise
 */
public record HealthRequest(String service, String real, String vip) {
    private static final List<String> KEYS = List.of("service", "real", "vip");

    public HealthRequest {
        if (!real.isEmpty()) {
            BodyFields.address("real", real);
        }
        if (!vip.isEmpty()) {
            BodyFields.address("vip", vip);
        }
    }

    /**
     * Reads the body of a request.
     *
     * @throws IllegalArgumentException it is not JSON, or not of this shape
     */
    static HealthRequest parse(String body) {
        JsonNode tree = ExplainRequest.tree(body);
        ExplainRequest.refuseKeysBut(KEYS, tree);
        return new HealthRequest(
                BodyFields.text(tree, "service"), BodyFields.text(tree, "real"), BodyFields.text(tree, "vip"));
    }
}
