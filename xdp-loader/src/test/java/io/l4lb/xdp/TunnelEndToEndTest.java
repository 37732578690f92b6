// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Machine;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.Balancer.Verdict;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real TCP through the tunnels, in namespaces: probes from the director, and clients through the balancer. */
@Tag("kernel")
class TunnelEndToEndTest {
    private static final int MARK = 0x4c340001;
    /** Enough for many full-size packets and for segmentation offload. */
    private static final int BULK = 400_000;

    private static final int PATIENCE = 20;

    @TempDir
    Path objects;

    private TunnelLab lab;

    @BeforeEach
    void build() throws Exception {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
        lab = new TunnelLab(objects);
    }

    @AfterEach
    void remove() throws Exception {
        if (lab != null) {
            lab.close();
        }
    }

    private static void target(BpfObject object, int mark, String real, int flags) {
        TunnelPrograms.target(object, mark, real, TunnelLab.DIRECTOR4, TunnelLab.DIRECTOR6, flags);
    }

    private Link attachProbe(BpfObject object, String interfaceName) throws Exception {
        int index = index(interfaceName);
        return ThreadContext.inNamespace(lab.namespace(TunnelLab.DIRECTOR), () -> {
            try (ProgramHandle program = object.program("probe")) {
                return Links.attachTcxEgress(program, index);
            }
        });
    }

    private int index(String interfaceName) throws Exception {
        return ThreadContext.inNamespace(lab.namespace(TunnelLab.DIRECTOR), () -> Interfaces.index(interfaceName)
                .orElseThrow());
    }

    private void probeBothVipsOverBothFamilies() throws Exception {
        for (String vip : new String[] {TunnelLab.VIP4, TunnelLab.VIP6}) {
            for (int mark : new int[] {MARK, MARK + 1}) {
                assertTrue(
                        lab.echoes(TunnelLab.DIRECTOR, vip, mark, BULK, PATIENCE),
                        vip + (mark == MARK ? " in IPv4" : " in IPv6"));
            }
        }
    }

    @Test
    void probesTravelThroughTheTunnel() throws Exception {
        try (BpfObject object =
                        BpfObject.open("probe", BpfProgram.PROBE.object()).load();
                Link link = attachProbe(object, "d0")) {
            assertTrue(link.ifindex() > 0);
            target(object, MARK, TunnelLab.REAL4, TunnelPrograms.GUE);
            target(object, MARK + 1, TunnelLab.REAL6, TunnelPrograms.GUE);
            probeBothVipsOverBothFamilies();
            target(object, MARK, TunnelLab.REAL4, TunnelPrograms.IP_IN_IP);
            target(object, MARK + 1, TunnelLab.REAL6, TunnelPrograms.IP_IN_IP);
            probeBothVipsOverBothFamilies();
            lab.passOnRouter();
            probeBothVipsOverBothFamilies();
            assertFalse(lab.echoes(TunnelLab.DIRECTOR, TunnelLab.VIP4, MARK + 2, 10, 1), "mark without target");
            assertFalse(lab.echoes(TunnelLab.DIRECTOR, TunnelLab.VIP4, 0, 10, 1), "no mark, no tunnel");
            lab.stopDecapsulating();
            assertFalse(lab.echoes(TunnelLab.DIRECTOR, TunnelLab.VIP4, MARK, 10, 1), "real without decapsulation");
            lab.decapsulate();
            assertTrue(lab.echoes(TunnelLab.DIRECTOR, TunnelLab.VIP4, MARK, 10, PATIENCE));
        }
    }

    @Test
    void probesLeaveByTheInterfaceOfTheReal() throws Exception {
        lab.divertVips();
        try (BpfObject object =
                        BpfObject.open("probe", BpfProgram.PROBE.object()).load();
                Link link = attachProbe(object, "x0")) {
            assertTrue(link.ifindex() > 0);
            target(object, MARK, TunnelLab.REAL4, TunnelPrograms.IP_IN_IP);
            assertFalse(lab.echoes(TunnelLab.DIRECTOR, TunnelLab.VIP4, MARK, 10, 1), "by the VIP's interface");
            int mark = MARK;
            for (String real : new String[] {TunnelLab.REAL4, TunnelLab.REAL6}) {
                ByteBuffer value = Balancer.buffer(56).put(Balancer.mapped(real));
                value.put(Balancer.mapped(TunnelLab.DIRECTOR4)).put(Balancer.mapped(TunnelLab.DIRECTOR6));
                value.putInt(TunnelPrograms.IP_IN_IP).putInt(index("d0")).flip();
                TunnelPrograms.target(object, mark++, value);
            }
            probeBothVipsOverBothFamilies();
        }
    }

    @Test
    void clientsAreBalancedThroughTheTunnel() throws Exception {
        lab.passOnRouter();
        lab.routeVipsToDirector();
        try (Balancer balancer = new Balancer();
                XdpAttachment attached = ThreadContext.inNamespace(
                        lab.namespace(TunnelLab.DIRECTOR),
                        () -> Links.attachXdp(
                                balancer.program, Interfaces.index("d0").orElseThrow(), XdpMode.NATIVE))) {
            assertEquals(XdpMode.NATIVE, attached.mode());
            byte[] gateway = lab.routerMac();
            balancer.settings(
                    1600, Balancer.mapped(TunnelLab.DIRECTOR4), gateway, Balancer.mapped(TunnelLab.DIRECTOR6), gateway);
            for (String real : new String[] {TunnelLab.REAL4, TunnelLab.REAL6}) {
                for (String vip : new String[] {TunnelLab.VIP4, TunnelLab.VIP6}) {
                    balancer.simple(vip, real);
                    assertTrue(lab.echoes(TunnelLab.CLIENT, vip, 0, BULK, PATIENCE), vip + " to " + real);
                }
            }
            assertEquals(0, balancer.count(Verdict.DROP_MALFORMED));
            assertTrue(balancer.count(Verdict.FORWARD_FLOW) > 4);
        }
    }
}
