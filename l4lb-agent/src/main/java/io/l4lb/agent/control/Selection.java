// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.InetAddress;
import java.util.List;

/**
 * Which traffic is asked about. What is empty does not matter.
 *
 * @param service name of a service
 * @param vip an address literal
 * @param source as {@link AddressRange} reads it
 */
public record Selection(String service, String vip, String source) {
    /** All of it. */
    public static final Selection ALL = new Selection("", "", "");

    private static final List<String> KEYS = List.of("service", "vip", "source");

    public Selection {
        if (!vip.isEmpty()) {
            BodyFields.address("vip", vip);
        }
        if (!source.isEmpty()) {
            AddressRange.parse(source);
        }
    }

    static Selection read(JsonNode tree) {
        if (tree.isMissingNode()) {
            return ALL;
        }
        ExplainRequest.refuseKeysBut(KEYS, tree);
        return new Selection(
                BodyFields.text(tree, "service"), BodyFields.text(tree, "vip"), BodyFields.text(tree, "source"));
    }

    /** Whether a VIP and a client's address are of it. The service is another matter. */
    public boolean hasAddresses(InetAddress client, InetAddress address) {
        return (vip.isEmpty() || AddressRange.parse(vip).contains(address))
                && (source.isEmpty() || AddressRange.parse(source).contains(client));
    }
}
