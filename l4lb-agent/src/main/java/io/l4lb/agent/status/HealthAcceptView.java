// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.List;

/**
 * What an operator's word on a panic has ended.
 *
 * @param accepted the services that were frozen, sorted: what their probes say holds now
 */
public record HealthAcceptView(List<String> accepted) {
    public HealthAcceptView {
        accepted = List.copyOf(accepted);
    }
}
