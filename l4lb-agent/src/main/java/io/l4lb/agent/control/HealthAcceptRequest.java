// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Whose probes an operator believes; the JSON body of {@code POST /v1/health/accept}.
 *
 * @param service its name; empty: all of them
 * @param all whether it is all: a name that was forgotten does not mean that
 */
public record HealthAcceptRequest(String service, boolean all) {
    private static final List<String> KEYS = List.of("service", "all");

    public HealthAcceptRequest {
        if (service.isEmpty() != all) {
            throw new IllegalArgumentException("either a service is named, or all are meant");
        }
    }

    /**
     * Reads the body of a request.
     *
     * @throws IllegalArgumentException it is not JSON, or not of this shape
     */
    static HealthAcceptRequest parse(String body) {
        JsonNode tree = ExplainRequest.tree(body);
        ExplainRequest.refuseKeysBut(KEYS, tree);
        JsonNode all = tree.path("all");
        if (!all.isMissingNode() && !all.isBoolean()) {
            throw new IllegalArgumentException("all: neither true nor false");
        }
        return new HealthAcceptRequest(BodyFields.text(tree, "service"), all.asBoolean());
    }
}
