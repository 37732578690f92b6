// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.agent.dataplane.ipvs.Programs.up;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.PORT;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.VIP;
import static io.l4lb.agent.dataplane.ipvs.TrafficLab.VIP6;
import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every way to a real that a service can be configured with, for a client and for a probe. */
@Tag("kernel")
final class ForwardingTest {
    private static final int REAL = 1;
    private static final String HOST = "real1";
    private static final InetAddress BY_ROUTER = TrafficLab.real(REAL);
    private static final InetAddress ON_LINK = ip("10.0.9.2");

    @Test
    void genericUdpEncapsulation() throws Exception {
        try (TrafficLab lab = new TrafficLab()) {
            lab.exec(HOST, "ip fou add port 6080 gue");
            assertReached(lab, new ProbePath(BY_ROUTER, Forwarding.GUE), VIP, VIP6);
        }
    }

    @Test
    void genericRoutingEncapsulation() throws Exception {
        try (TrafficLab lab = new TrafficLab()) {
            lab.tool(HOST, "link set gre0 up");
            lab.exec(HOST, "sysctl -qw net.ipv4.conf.gre0.rp_filter=0");
            assertReached(lab, new ProbePath(BY_ROUTER, Forwarding.GRE), VIP, VIP6);
        }
    }

    /** The real answers by the router. */
    @Test
    void directRouting() throws Exception {
        try (TrafficLab lab = new TrafficLab()) {
            lab.direct(REAL);
            assertReached(lab, new ProbePath(ON_LINK, Forwarding.DIRECT), VIP);
        }
    }

    /** The real has no VIP, and answers by the director. */
    @Test
    void masquerading() throws Exception {
        try (TrafficLab lab = new TrafficLab()) {
            lab.direct(REAL);
            lab.tool(HOST, "addr del 192.0.2.10/32 dev lo");
            lab.tool(HOST, "route replace default via 10.0.9.1");
            assertReached(lab, new ProbePath(ON_LINK, Forwarding.MASQUERADE), VIP);
        }
    }

    private static void assertReached(TrafficLab lab, ProbePath way, InetAddress... vips) throws Exception {
        IpvsDataplane dataplane = lab.director.call(() -> lab.open(lab.interfaces(), Set.of(way)));
        try {
            for (InetAddress vip : vips) {
                lab.director.call(() -> dataplane.install(Programs.of(
                        new ServiceKey(vip, Protocol.TCP, PORT),
                        KernelScheduler.MH,
                        way.forwarding(),
                        List.of(up(way.real(), 1)))));
            }
            int mark = lab.director.call(() -> {
                dataplane.keepAttached();
                return dataplane.marks().keySet().iterator().next();
            });
            for (InetAddress vip : vips) {
                assertEquals(Optional.of(REAL), lab.probe(vip, mark), "a probe of " + vip);
                try (TrafficLab.Flow flow = lab.connect(vip)) {
                    assertEquals(Optional.of(REAL), flow.real(), "a client of " + vip);
                }
            }
        } finally {
            dataplane.close();
        }
    }
}
