// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.WEB4;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.NetlinkXdp;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TestRun;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The balancer on two interfaces: each comes, goes and fails for itself. */
@Tag("kernel")
final class SeveralInterfacesTest {
    private static final int XDP_REDIRECT = 4;
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    private @Nullable XdpAttachment receiver;

    @AfterEach
    void stopReceiving() {
        Objects.requireNonNull(receiver).close();
    }

    @RegisterExtension
    final InNamespace director = new InNamespace(() -> {
        String namespace = lab.build();
        lab.connectSecond();
        receiver = lab.receiveOn("r0");
        return namespace;
    });

    private static Optional<AttachedXdp> attached(String name) {
        return Links.attachedXdp(Interfaces.index(name).orElseThrow());
    }

    private XdpDataplane openBoth() {
        XdpDataplane dataplane = lab.open(lab.plan("d0", "d1"));
        web().installOn(dataplane);
        dataplane.follow(REALS, Set.of());
        return dataplane;
    }

    /** By d0, where the route to the reals leads, whatever interface it came in by. */
    private static void assertRedirected(TestRun run) {
        assertEquals(XDP_REDIRECT, run.returnValue());
    }

    private int linkId(String pin) {
        try (Link link = Link.openPinned(lab.pin(pin)).orElseThrow()) {
            return link.id();
        }
    }

    @Test
    void bothHaveTheSameProgram() {
        try (XdpDataplane dataplane = openBoth()) {
            assertEquals("d0, d1", dataplane.info().interfaceName());
            assertEquals("native", dataplane.info().mode());
            assertEquals(List.of(), dataplane.info().notes());
            assertEquals(attached("d0"), attached("d1"));
            for (String program : DirectorLab.linked()) {
                try (Link link =
                        Link.openPinned(lab.pin("link_" + program + "_d1")).orElseThrow()) {
                    assertEquals(Interfaces.index("d1").orElseThrow(), link.ifindex());
                }
            }
            assertRedirected(FLOW.run());
        }
        int second = linkId("link_balancer_d1");
        try (XdpDataplane dataplane = openBoth()) {
            assertTrue(dataplane.info().adopted());
            assertEquals(second, linkId("link_balancer_d1"));
            assertEquals(attached("d0"), attached("d1"));
        }
    }

    @Test
    void oneThatIsMissingAtTheStartIsSaidAndTakenWhenItComes() {
        lab.director("link del d1");
        try (XdpDataplane dataplane = openBoth()) {
            int first = linkId("link_balancer_d0");
            for (int i = 0; i < 2; i++) {
                assertEquals("d0; d1 is missing", dataplane.info().interfaceName());
                assertEquals(
                        List.of("interface d1 is missing: nothing comes in there"),
                        dataplane.info().notes());
                assertEquals("native", dataplane.info().mode());
                dataplane.keepAttached();
                dataplane.follow(REALS, Set.of());
                assertRedirected(FLOW.run());
            }
            lab.connectSecond();
            assertEquals(Optional.empty(), attached("d1"));
            dataplane.keepAttached();
            assertEquals(attached("d0"), attached("d1"));
            assertTrue(lab.hasProbe("d1"));
            assertEquals("d0, d1", dataplane.info().interfaceName());
            assertEquals(first, linkId("link_balancer_d0"));
            assertEquals(List.of(), dataplane.info().notes());
            // The way to the reals was known before: what comes in by d1 takes it at once.
            assertRedirected(FLOW.run());
        }
    }

    @Test
    void oneThatIsMissingAtARestartIsLeftToItsLink() {
        openBoth().close();
        lab.director("link del d1");
        try (XdpDataplane dataplane = openBoth()) {
            assertTrue(dataplane.info().adopted());
            assertEquals(
                    List.of("interface d1 is missing: nothing comes in there"),
                    dataplane.info().notes());
            lab.connectSecond();
            dataplane.keepAttached();
            assertEquals(attached("d0"), attached("d1"));
            assertEquals(List.of(), dataplane.info().notes());
        }
    }

    @Test
    void oneThatIsCalledOtherwiseNowKeepsItsPrograms() {
        openBoth().close();
        lab.director("link set d1 down");
        lab.director("link set d1 name x1");
        lab.director("link set x1 up");
        Optional<AttachedXdp> before = attached("x1");
        try (XdpDataplane dataplane = openBoth()) {
            int number = Interfaces.index("x1").orElseThrow();
            assertEquals(
                    List.of(
                            "the programs of d1 are on interface number " + number
                                    + ", and stay there: if it is called otherwise now, xdp.interfaces has to say so",
                            "interface d1 is missing: nothing comes in there"),
                    dataplane.info().notes());
        }
        assertTrue(before.isPresent());
        assertEquals(before, attached("x1"));
    }

    @Test
    void withoutAnyAtTheStartNothingIsTouched() {
        DataplaneException missing = assertThrows(DataplaneException.class, () -> lab.open(lab.plan("d7", "d8")));
        assertEquals("none of the interfaces that xdp.interfaces names is here: d7, d8", missing.getMessage());
        assertFalse(Files.exists(lab.pinDirectory()));
        openBoth().close();
        Optional<AttachedXdp> before = attached("d0");
        assertThrows(DataplaneException.class, () -> lab.open(lab.plan("d7")));
        assertEquals(before, attached("d0"));
    }

    @Test
    void oneThatVanishesLeavesTheOtherAndIsTakenAgainWhenItReturns() {
        try (XdpDataplane dataplane = openBoth()) {
            int first = linkId("link_balancer_d0");
            lab.director("link del d1");
            for (int i = 0; i < 2; i++) {
                dataplane.keepAttached();
                assertEquals(
                        List.of("interface d1 is gone: nothing comes in there"),
                        dataplane.info().notes());
                assertEquals("d0; d1 is gone", dataplane.info().interfaceName());
                dataplane.follow(REALS, Set.of());
                assertRedirected(FLOW.run());
            }
            lab.connectSecond();
            assertEquals(Optional.empty(), attached("d1"));
            dataplane.keepAttached();
            assertEquals(attached("d0"), attached("d1"));
            assertEquals(List.of(), dataplane.info().notes());
            assertEquals(first, linkId("link_balancer_d0"));
            dataplane.follow(REALS, Set.of());
            assertRedirected(FLOW.run());
        }
    }

    @Test
    void withoutAnyNothingIsForwarded() {
        try (XdpDataplane dataplane = openBoth()) {
            lab.director("link del d0");
            lab.director("link del d1");
            DataplaneException gone = assertThrows(DataplaneException.class, dataplane::keepAttached);
            assertEquals("interfaces d0, d1 are gone: nothing is forwarded", gone.getMessage());
            lab.connectSecond();
            dataplane.keepAttached();
            assertTrue(attached("d1").isPresent());
        }
    }

    @Test
    void oneThatIsTakenByAnotherIsSaidAndTheOtherIsMended() {
        try (XdpDataplane dataplane = openBoth()) {
            for (String name : List.of("d0", "d1")) {
                try (Link link =
                        Link.openPinned(lab.pin("link_balancer_" + name)).orElseThrow()) {
                    link.detach();
                }
            }
            int foreign = attachForeign("d0");
            DataplaneException taken = assertThrows(DataplaneException.class, dataplane::keepAttached);
            assertTrue(
                    String.valueOf(taken.getMessage()).startsWith("interface d0: XDP program " + foreign),
                    taken.getMessage());
            assertTrue(attached("d1").isPresent());
        }
    }

    @Test
    void aFailureOnOneLeavesTheOtherAsItWas() {
        lab.open().close();
        AttachedXdp before = attached("d0").orElseThrow();
        int foreign = attachForeign("d1");
        assertThrows(DataplaneException.class, () -> lab.open(lab.plan("d0", "d1")));
        assertEquals(Optional.of(before), attached("d0"));
        assertEquals(foreign, attached("d1").orElseThrow().programId());
        assertFalse(lab.hasProbe("d1"));
        try (XdpDataplane dataplane = lab.open()) {
            assertTrue(dataplane.info().adopted());
        }
    }

    private static int attachForeign(String name) {
        try (BpfObject object =
                        BpfObject.open("foreign", BpfProgram.PASS.object()).load();
                ProgramHandle program = object.program("pass")) {
            NetlinkXdp.attach(program, Interfaces.index(name).orElseThrow(), XdpMode.NATIVE);
            return program.id();
        }
    }

    @Test
    void oneThatIsNotConfiguredAnyMoreIsLeft() {
        openBoth().close();
        try (XdpDataplane dataplane = lab.open(lab.plan("d1"))) {
            assertEquals(Optional.empty(), attached("d0"));
            assertTrue(attached("d1").isPresent());
            assertTrue(dataplane.info().notes().get(0).startsWith("interface d0 is not in xdp.interfaces any more"));
            assertFalse(Files.exists(lab.pin("link_balancer_d0")));
            assertFalse(lab.hasProbe("d0"));
        }
        try (XdpDataplane dataplane = lab.open(lab.plan("d1"))) {
            assertEquals(List.of(), dataplane.info().notes());
        }
    }
}
