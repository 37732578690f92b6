// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.NetlinkXdp;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpMode;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What an agent that has ended leaves, and its removal. */
@Tag("kernel")
final class RemainsTest {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private final List<String> told = new ArrayList<>();

    private Remains remains() {
        told.clear();
        return new Remains(lab.section(), told::add);
    }

    private List<String> all() {
        return List.of(
                "the balancer on d0",
                "the probe program on d0",
                MapRole.ofXdp().size() + " maps pinned in " + lab.pinDirectory() + ", with all flows and counters");
    }

    @Test
    void everythingIsListedAndRemoved() {
        lab.openWith(web(), REALS).close();
        long bpf = Descriptors.ofBpf();
        remains().list();
        assertEquals(all(), told);
        assertTrue(Links.attachedXdp(DirectorLab.index()).isPresent());
        remains().release();
        assertEquals(all(), told);
        assertEquals(Optional.empty(), Links.attachedXdp(DirectorLab.index()));
        assertFalse(lab.hasProbe("d0"));
        assertFalse(Files.exists(lab.pinDirectory()));
        assertEquals(bpf, Descriptors.ofBpf());
    }

    @Test
    void whereThereIsNothingNothingIsTold() {
        remains().list();
        assertEquals(List.of(), told);
        remains().release();
        assertEquals(List.of(), told);
    }

    @Test
    void keptNeighborsAreLetGo() {
        lab.director("neigh del 10.2.0.1 dev d0");
        try (XdpDataplane dataplane = lab.open()) {
            dataplane.follow(REALS, Set.of());
        }
        remains().list();
        String mark = "the mark by which the kernel keeps neighbour 10.2.0.1 on d0";
        assertTrue(told.contains(mark), told.toString());
        remains().release();
        assertTrue(told.contains(mark), told.toString());
        remains().list();
        assertEquals(List.of(), told);
    }

    @Test
    void whatSomebodyElseHasPinnedThereStays() throws Exception {
        lab.open().close();
        Files.createDirectory(lab.pin("others"));
        remains().release();
        assertTrue(Files.exists(lab.pin("others")));
        assertFalse(Files.exists(lab.pin("services")));
        Files.delete(lab.pin("others"));
    }

    @Test
    void interfacesThatAreNotConfiguredAnyMoreAreKnownByTheirPins() {
        lab.connectSecond();
        lab.open(lab.plan("d0", "d1")).close();
        remains().release();
        assertTrue(told.contains("the balancer on d1"), told.toString());
        assertFalse(lab.hasProbe("d1"));
        assertFalse(Files.exists(lab.pinDirectory()));
    }

    @Test
    void anInterfaceThatIsGoneIsNoObstacle() {
        lab.open().close();
        lab.director("link del d0");
        remains().release();
        assertFalse(Files.exists(lab.pinDirectory()));
    }

    @Test
    void whatWasChainedIsPutBack() {
        try (BpfObject object =
                        BpfObject.open("foreign", BpfProgram.BALANCER.object()).load();
                ProgramHandle foreign = object.program("balancer")) {
            NetlinkXdp.attach(foreign, DirectorLab.index(), XdpMode.NATIVE);
            AttachmentPlan plan = lab.plan("d0");
            lab.open(new AttachmentPlan(
                            plan.interfaces(), plan.mode(), plan.pinDir(), plan.flows(), true, plan.constants()))
                    .close();
            remains().release();
            assertEquals(
                    Optional.of(new AttachedXdp(XdpMode.NATIVE, foreign.id())), Links.attachedXdp(DirectorLab.index()));
            assertTrue(told.contains("the array of the program that was chained on d0, which is put back"));
            assertFalse(Files.exists(lab.pinDirectory()));
        }
    }
}
