// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import java.net.InetSocketAddress;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * The packet that {@code explain} is asked about; the JSON body of {@code POST /v1/explain}.
 *
 * @param source as {@link Endpoint} reads it; of a protocol without ports the port may be left out, and does not count
 * @param destination of the same family
 * @param protocol as {@link ProtocolWord} reads it, but not {@code any}
 * @param syn whether it is a TCP SYN; absent in JSON: no
 */
public record ExplainRequest(String source, String destination, String protocol, boolean syn) {
    private static final int ICMP = 1;
    /** ICMP and ICMPv6, of which the type and more counts; and what is an extension header to IPv6 (RFC 8200, 4). */
    private static final Set<Integer> NEED_A_PACKET = Set.of(ICMP, 58, 0, 43, 44, 60);

    private static final List<String> KEYS = List.of("source", "destination", "protocol", "syn");

    public ExplainRequest {
        if (protocol.equals("any")) {
            throw new IllegalArgumentException("protocol: a packet is of one protocol, not of any; name it: one of "
                    + ProtocolWord.NAMES + ", or its number");
        }
        int number = protocol.startsWith("icmp") ? ICMP : ProtocolWord.number(protocol);
        if (NEED_A_PACKET.contains(number)) {
            throw new IllegalArgumentException("protocol: addresses alone do not tell where a packet of protocol "
                    + protocol + " goes; give it whole (--packet)");
        }
        if (address(source, number).getAddress().getClass()
                != address(destination, number).getAddress().getClass()) {
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
        return address(source, protocolNumber());
    }

    InetSocketAddress destinationAddress() {
        return address(destination, protocolNumber());
    }

    /** The IP protocol number. */
    public int protocolNumber() {
        return ProtocolWord.number(protocol);
    }

    private static InetSocketAddress address(String text, int protocol) {
        return ProtocolWord.hasPorts(protocol) ? Endpoint.parse(text) : Endpoint.parseWithOrWithoutPort(text);
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
