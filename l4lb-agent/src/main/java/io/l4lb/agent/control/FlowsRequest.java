// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Which entries of the flow table are asked for; the JSON body of {@code POST /v1/flows} and {@code /v1/flows/count}. What
 * is empty does not matter.
 *
 * @param protocol as {@link ProtocolWord} reads it
 * @param port of the VIP; {@link #NO_PORT}: does not matter
 * @param real an address literal
 * @param state {@code opening}, {@code established}, {@code closing}, {@code other}
 * @param limit how many are wanted at most; 0: all
 */
public record FlowsRequest(Selection selection, String protocol, int port, String real, String state, long limit) {
    public static final int NO_PORT = -1;
    /** The states that a flow can be in. */
    public static final List<String> STATES = List.of("opening", "established", "closing", "other");

    private static final List<String> KEYS = List.of("selection", "protocol", "port", "real", "state", "limit");
    private static final int MAX_PORT = 65535;

    public FlowsRequest {
        BodyFields.within("port", port, NO_PORT, MAX_PORT);
        BodyFields.within("limit", limit, 0, Long.MAX_VALUE);
        if (!protocol.isEmpty()) {
            int unused = ProtocolWord.number(protocol); // refuses what is none
        }
        if (!real.isEmpty()) {
            BodyFields.address("real", real);
        }
        if (!state.isEmpty() && !STATES.contains(state)) {
            throw new IllegalArgumentException("state: \"" + state + "\" is none of " + String.join(", ", STATES));
        }
    }

    /**
     * Reads the body of a request.
     *
     * @throws IllegalArgumentException it is not JSON, or not of this shape
     */
    static FlowsRequest parse(String body) {
        JsonNode tree = ExplainRequest.tree(body);
        ExplainRequest.refuseKeysBut(KEYS, tree);
        return new FlowsRequest(
                Selection.read(tree.path("selection")),
                BodyFields.text(tree, "protocol"),
                (int) Math.min(Integer.MAX_VALUE, BodyFields.number(tree, "port", NO_PORT)),
                BodyFields.text(tree, "real"),
                BodyFields.text(tree, "state"),
                BodyFields.number(tree, "limit", 0));
    }
}
