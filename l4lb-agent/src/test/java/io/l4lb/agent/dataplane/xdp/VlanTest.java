// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.netlink.route.RouteTable;
import io.l4lb.test.InNamespace;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Packets come in by a VLAN of the interface that has the balancer, and leave by it. */
@Tag("kernel")
final class VlanTest {
    private static final int PACKETS = 50;

    @AutoClose
    private final TwoLinkLab lab = new TwoLinkLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::buildWithVlan);

    @Test
    void tagsStayOnTheWayBack() throws Exception {
        try (RouteTable routes = RouteTable.open();
                TwoLinkBalancer balancer = new TwoLinkBalancer(routes, TwoLinkLab.rules(routes, false, "in"), 0)) {
            assertEquals(
                    Optional.of(TwoLinkLab.index(routes, "in")), routes.vlanParent(TwoLinkLab.index(routes, "in.7")));
            await("the way is known", () -> balancer.follow(ONE).isEmpty());
            balancer.install(DNS4, ONE);
            long before = lab.tunnelPacketsInFront();
            lab.sendFromClients(DNS4, PACKETS);
            await("they come back with their tag", () -> lab.tunnelPacketsInFront() >= before + PACKETS);
        }
    }
}
