// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.announce;

import io.l4lb.agent.reconcile.Announcements;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import io.l4lb.bgp.RouteSpeaker;
import java.net.InetAddress;
import java.util.Set;
import java.util.stream.Collectors;

/** A host route (/32, /128) for every announced VIP, to every neighbor of its family. */
public final class VipRoutes implements Announcements {
    private final RouteSpeaker speaker;

    public VipRoutes(RouteSpeaker speaker) {
        this.speaker = speaker;
    }

    @Override
    public void want(Set<InetAddress> vips) {
        speaker.want(vips.stream().map(vip -> Route.of(Prefix.host(vip))).collect(Collectors.toSet()));
    }

    @Override
    public boolean withdrawn(InetAddress vip) {
        return speaker.status().withdrawn(Prefix.host(vip));
    }
}
