// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.model.XdpSection;

/** Sections that differ from given ones. */
final class Other {
    private Other() {}

    static XdpSection xdp(XdpSection xdp) {
        XdpSection.Tunnels tunnels = xdp.tunnels();
        return new XdpSection(
                xdp.placement(),
                new XdpSection.Tunnels(tunnels.nextHop(), tunnels.mtu() + 1, tunnels.source4(), tunnels.source6()),
                xdp.flowTable(),
                xdp.answers());
    }

    static XdpSection fib(XdpSection xdp) {
        XdpSection.Tunnels tunnels = xdp.tunnels();
        return new XdpSection(
                xdp.placement(),
                new XdpSection.Tunnels(XdpSection.NextHop.FIB, tunnels.mtu(), tunnels.source4(), tunnels.source6()),
                xdp.flowTable(),
                xdp.answers());
    }
}
