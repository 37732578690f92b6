// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The packet that {@code explain} is asked about; the JSON body of {@code POST /v1/explain}.
 *
 * @param source as {@link Endpoint} reads it
 * @param destination of the same family
 * @param protocol as the configuration has it, but not {@code any}. Of one without ports, the ports do not count
 * @param syn whether it is a TCP SYN; absent in JSON: no
 */
public record ExplainRequest(String source, String destination, String protocol, boolean syn) {
    /** Those of packets that can be asked about, separated by commas. */
    public static final String PROTOCOL_NAMES = "tcp, udp, dccp, sctp, udplite, gre, esp, ah";

    private static final Map<String, Integer> PROTOCOLS =
            Map.of("tcp", 6, "udp", 17, "dccp", 33, "sctp", 132, "udplite", 136, "gre", 47, "esp", 50, "ah", 51);
    private static final List<String> KEYS = List.of("source", "destination", "protocol", "syn");

    public ExplainRequest {
        if (!PROTOCOLS.containsKey(protocol)) {
            throw new IllegalArgumentException("protocol: \"" + protocol + "\" is none of " + PROTOCOL_NAMES);
        }
        if (address(source).getAddress().getClass()
                != address(destination).getAddress().getClass()) {
            throw new IllegalArgumentException("source and destination are not of one family");
        }
    }

    /**
     * Reads the body of a request.
     *
     * @throws IllegalArgumentException it is not JSON, or not of this shape
     */
    static ExplainRequest parse(String body) {
        JsonNode tree = tree(body);
        refuseKeysBut(KEYS, tree);
        JsonNode syn = tree.path("syn");
        if (!syn.isMissingNode() && !syn.isBoolean()) {
            throw new IllegalArgumentException("syn: neither true nor false");
        }
        return new ExplainRequest(
                text(tree, "source"), text(tree, "destination"), text(tree, "protocol"), syn.asBoolean());
    }

    InetSocketAddress sourceAddress() {
        return address(source);
    }

    InetSocketAddress destinationAddress() {
        return address(destination);
    }

    /** The IP protocol number. */
    int protocolNumber() {
        return PROTOCOLS.getOrDefault(protocol, 0);
    }

    private static InetSocketAddress address(String text) {
        return Endpoint.parse(text);
    }

    static void refuseKeysBut(List<String> known, JsonNode tree) {
        for (Iterator<String> names = tree.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown key \"" + name + "\"");
            }
        }
    }

    static JsonNode tree(String body) {
        try {
            JsonNode tree = Json.parse(body);
            if (tree.getNodeType() != JsonNodeType.OBJECT) {
                throw new IllegalArgumentException("the body is not a JSON object");
            }
            return tree;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the body is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    static String text(JsonNode tree, String key) {
        JsonNode value = tree.path(key);
        if (!value.isTextual()) {
            throw new IllegalArgumentException(key + (value.isMissingNode() ? ": missing" : ": not a string"));
        }
        return value.asText();
    }
}
