// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;

/**
 * What the flow table knows a flow by. Keys of two services may be equal, as those of a client that uses two ports of a
 * VIP with the 3-tuple: they are two flows.
 *
 * @param service name
 * @param key of the service's kind
 */
public record ServiceFlow(String service, FlowKey key) {}
