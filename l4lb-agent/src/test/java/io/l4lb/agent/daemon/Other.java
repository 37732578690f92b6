// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.model.XdpSection;

/** Sections that differ from given ones. */
final class Other {
    private Other() {}

    static XdpSection xdp(XdpSection xdp) {
        return new XdpSection(
                xdp.interfaceName(), xdp.mode(), xdp.nextHop(), xdp.pinDir(), xdp.mtu() + 1, xdp.flowTableSize());
    }
}
