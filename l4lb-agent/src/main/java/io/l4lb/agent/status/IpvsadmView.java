// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * What the agent has in IPVS.
 *
 * @param rules lines for {@code ipvsadm -R}
 */
public record IpvsadmView(List<String> rules) {
    public IpvsadmView {
        rules = List.copyOf(rules);
    }
}
