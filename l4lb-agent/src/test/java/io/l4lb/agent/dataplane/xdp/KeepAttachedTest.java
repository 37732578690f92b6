// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.TcFilter.Direction;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs that were taken off the interface, and an interface that goes and comes, are noticed and mended. */
@Tag("kernel")
final class KeepAttachedTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @Test
    void whatIsAttachedIsLeftAlone() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            int before = linkId("balancer");
            dataplane.keepAttached();
            assertEquals(before, linkId("balancer"));
        }
    }

    @Test
    void programsThatWereDetachedAreAttachedAgain() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            for (String program : DirectorLab.linked()) {
                int before = linkId(program);
                try (Link link =
                        Link.openPinned(lab.pin("link_" + program + "_d0")).orElseThrow()) {
                    link.detach();
                }
                dataplane.keepAttached();
                int mended = linkId(program);
                assertNotEquals(before, mended);
                dataplane.keepAttached();
                assertEquals(mended, linkId(program));
            }
            assertEquals(FLOW.realIn(web().table()), FLOW.open().real());
        }
    }

    @Test
    void aProbeProgramThatWasTakenAwayIsPutBack() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            assertTrue(lab.hasProbe("d0"));
            TcHold.of(Direction.EGRESS, lab.pin("link_probe_d0"), KernelRelease.here())
                    .release(DirectorLab.index());
            assertFalse(lab.hasProbe("d0"));
            dataplane.keepAttached();
            assertTrue(lab.hasProbe("d0"));
        }
    }

    @Test
    void anInterfaceThatIsGoneIsSaidAndTakenAgainWhenItReturns() {
        try (XdpDataplane dataplane = lab.openWith(web(), REALS)) {
            lab.director("link del d0");
            DataplaneException gone = assertThrows(DataplaneException.class, dataplane::keepAttached);
            assertTrue(gone.toString().contains("interface d0 is gone"), gone.toString());
            lab.connect();
            dataplane.keepAttached();
            assertEquals(Map.of(), dataplane.follow(REALS, Set.of()));
            assertEquals(FLOW.realIn(web().table()), FLOW.open().real());
        }
    }

    private int linkId(String program) {
        try (Link link = Link.openPinned(lab.pin("link_" + program + "_d0")).orElseThrow()) {
            return link.id();
        }
    }
}
