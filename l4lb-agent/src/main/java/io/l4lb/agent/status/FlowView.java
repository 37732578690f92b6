// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

/**
 * An entry of the flow table.
 *
 * @param clientPort 0: any, since the service does not look at ports
 * @param service its name
 * @param port at the VIP; 0: any
 * @param state {@code opening}, {@code established}, {@code closing}, {@code other} (not TCP)
 * @param idleSeconds since the last packet, to about a second; -1: not known
 * @param expired whether it no longer counts: its time is over, or its real has been removed
 */
public record FlowView(
        String client,
        int clientPort,
        String service,
        String vip,
        String protocol,
        int port,
        String real,
        String state,
        long idleSeconds,
        boolean expired) {}
