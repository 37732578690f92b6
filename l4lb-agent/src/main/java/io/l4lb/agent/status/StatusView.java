// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;
import java.util.Map;

/**
 * The whole agent, as of the last pass of its reconcile thread.
 *
 * @param state {@code starting} (no pass yet), {@code running}, {@code degraded} (a problem is listed), {@code stopping}
 * @param since when this agent started, ISO 8601
 * @param problems what an operator should know, in words
 * @param verdicts packets by what the dataplane did with them and why
 */
public record StatusView(
        String state,
        String version,
        String since,
        DataplaneView dataplane,
        BgpView bgp,
        List<String> problems,
        Map<String, Long> verdicts,
        List<ServiceView> services) {
    public StatusView {
        problems = List.copyOf(problems);
        services = List.copyOf(services);
    }

    /**
     * The kernel side.
     *
     * @param type {@code xdp}
     * @param mode how it is attached: {@code native}, {@code generic}
     * @param adopted whether this agent found it running
     */
    public record DataplaneView(String type, String interfaceName, String mode, boolean adopted) {}

    /**
     * The routing side.
     *
     * @param process state of ExaBGP, in words
     */
    public record BgpView(String process, List<NeighborView> neighbors) {
        public BgpView {
            neighbors = List.copyOf(neighbors);
        }
    }

    /**
     * A session.
     *
     * @param state {@code up}, {@code down}, {@code connecting}
     * @param announced the prefixes that were sent to it
     */
    public record NeighborView(
            String address, long peerAs, String state, String since, String error, List<String> announced) {
        public NeighborView {
            announced = List.copyOf(announced);
        }
    }
}
