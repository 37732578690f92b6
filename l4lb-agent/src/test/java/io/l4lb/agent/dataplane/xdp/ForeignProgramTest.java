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
import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.NetlinkXdp;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A program of somebody else on the interface. It is a balancer without services: it passes everything, and its counters
 * tell what it got.
 */
@Tag("kernel")
final class ForeignProgramTest {
    private static final ClientFlow FLOW = new ClientFlow("198.51.100.7", 40000, WEB4);
    private static final int XDP_PASS = 2;
    private static final int PASS_NOT_IP = 0;
    /** A type for experiments (IEEE 802): nobody else on this link sends such a frame. */
    private static final byte[] PASSED =
            ByteBuffer.allocate(60).putShort(12, (short) 0x88b5).array();

    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @AutoClose
    private final BpfObject object = BpfObject.open("foreign", BpfProgram.BALANCER.object());

    private int foreign;

    @BeforeEach
    void load() {
        try (ProgramHandle program = object.load().program("balancer")) {
            foreign = program.id();
        }
    }

    private void attach(XdpMode mode) {
        try (ProgramHandle program = object.program("balancer")) {
            NetlinkXdp.attach(program, DirectorLab.index(), mode);
        }
    }

    private static Optional<AttachedXdp> attached() {
        return Links.attachedXdp(DirectorLab.index());
    }

    private AttachmentPlan chaining(String... interfaces) {
        AttachmentPlan plan = lab.plan(interfaces);
        return new AttachmentPlan(plan.interfaces(), plan.mode(), plan.pinDir(), plan.flows(), true, plan.constants());
    }

    private XdpDataplane openChaining() {
        XdpDataplane dataplane = lab.open(chaining("d0"));
        web().installOn(dataplane);
        dataplane.follow(REALS, Set.of());
        return dataplane;
    }

    /** How many frames of no protocol that it knows the foreign program has seen. */
    private long seen() {
        try (BpfMap verdicts = object.map("verdicts")) {
            return PerCpuCounter.read(verdicts, PASS_NOT_IP).packets();
        }
    }

    /** Sends a packet that is not for a VIP, and one that is; only the first may get to the foreign program. */
    private void assertChained() {
        long before = seen();
        assertEquals(XDP_PASS, DirectorLab.run(PASSED).returnValue());
        FLOW.send();
        assertEquals(before + 1, seen());
    }

    private List<String> pins() throws IOException {
        if (!Files.exists(lab.pinDirectory())) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(lab.pinDirectory())) {
            return files.map(pin -> pin.getFileName().toString()).toList();
        }
    }

    @Test
    void isRefusedByNameAndLeftAlone() throws IOException {
        attach(XdpMode.NATIVE);
        String message = assertThrows(DataplaneException.class, lab::open).getMessage();
        assertEquals(
                "interface d0: XDP program " + foreign + " \"balancer\" is attached there; take it off (ip link set dev"
                        + " d0 xdp off), or set chain = true to keep it behind the balancer",
                message);
        assertEquals(Optional.of(new AttachedXdp(XdpMode.NATIVE, foreign)), attached());
        assertEquals(List.of(), pins());
    }

    @Test
    void ofALinkIsRefusedEvenIfItMayBeChained() throws IOException {
        try (ProgramHandle program = object.program("balancer");
                XdpAttachment link = Links.attachXdp(program, DirectorLab.index(), XdpMode.NATIVE)) {
            for (AttachmentPlan plan : List.of(lab.plan("d0"), chaining("d0"))) {
                String message = String.valueOf(assertThrows(DataplaneException.class, () -> lab.open(plan))
                        .getMessage());
                assertTrue(
                        message.startsWith(
                                "interface d0: XDP program " + foreign + " \"balancer\" is attached there by link "
                                        + link.link().id()),
                        message);
            }
            assertEquals(foreign, link.link().programId());
            assertEquals(List.of(), pins());
        }
    }

    @Test
    void isChained() throws IOException {
        attach(XdpMode.NATIVE);
        try (XdpDataplane dataplane = openChaining()) {
            assertNotEquals(foreign, attached().orElseThrow().programId());
            assertEquals(List.of(), dataplane.info().notes());
            assertChained();
            dataplane.keepAttached();
            assertChained();
            assertEquals(
                    "d0 (chained: \"balancer\" (program " + foreign + "))",
                    dataplane.info().interfaceName());
            Files.delete(lab.pin("chain_d0"));
            dataplane.keepAttached();
            assertTrue(Files.exists(lab.pin("chain_d0")));
        }
        assertChained();
    }

    @Test
    void staysChainedOverARestart() {
        attach(XdpMode.NATIVE);
        openChaining().close();
        long bpf = Descriptors.ofBpf();
        int first = attached().orElseThrow().programId();
        try (XdpDataplane dataplane = openChaining()) {
            assertTrue(dataplane.info().adopted());
            assertNotEquals(first, attached().orElseThrow().programId());
            assertChained();
        }
        try (XdpDataplane unasked = lab.open()) {
            String note = unasked.info().notes().get(0);
            assertTrue(note.contains("gets what the balancer passes although chain = false"), note);
            unasked.follow(REALS, Set.of());
            assertChained();
        }
        assertEquals(bpf, Descriptors.ofBpf());
    }

    private void release() {
        new Remains(lab.section(), thing -> {}).release();
    }

    @Test
    void isPutBackInTheEnd() throws IOException {
        for (XdpMode mode : List.of(XdpMode.NATIVE, XdpMode.GENERIC)) {
            attach(mode);
            try (XdpDataplane dataplane = openChaining()) {
                assertEquals(mode.word(), dataplane.info().mode());
                assertChained();
            }
            release();
            assertEquals(Optional.of(new AttachedXdp(mode, foreign)), attached());
            assertEquals(List.of(), pins());
            try (ProgramHandle program = object.program("balancer")) {
                NetlinkXdp.detach(program, DirectorLab.index(), mode);
            }
        }
    }

    @Test
    void isPutBackIfTheOtherInterfaceFails() throws IOException {
        lab.connectSecond();
        attach(XdpMode.NATIVE);
        try (BpfObject pass =
                        BpfObject.open("foreign", BpfProgram.PASS.object()).load();
                ProgramHandle program = pass.program("pass");
                XdpAttachment held =
                        Links.attachXdp(program, Interfaces.index("d1").orElseThrow(), XdpMode.NATIVE)) {
            DataplaneException failure = assertThrows(DataplaneException.class, () -> lab.open(chaining("d0", "d1")));
            assertTrue(String.valueOf(failure.getMessage()).startsWith("interface d1"), failure.getMessage());
            assertEquals(program.id(), held.link().programId());
        }
        assertEquals(Optional.of(new AttachedXdp(XdpMode.NATIVE, foreign)), attached());
        assertEquals(List.of(), pins());
    }

    @Test
    void isChainedOnItsOwnInterfaceAlone() {
        lab.connectSecond();
        attach(XdpMode.NATIVE);
        try (XdpDataplane dataplane = lab.open(chaining("d0", "d1"))) {
            assertEquals(List.of(), dataplane.info().notes());
            try (ProgramHandle other = Links.attachedXdp(Interfaces.index("d1").orElseThrow())
                    .orElseThrow()
                    .program()
                    .orElseThrow()) {
                assertEquals(XDP_PASS, other.testRun(PASSED).returnValue());
            }
            assertEquals(0, seen());
            assertEquals(XDP_PASS, DirectorLab.run(PASSED).returnValue());
            assertEquals(1, seen());
        }
    }

    @Test
    void thatComesInThePlaceOfOursIsChainedToo() {
        try (XdpDataplane dataplane = openChaining()) {
            try (Link link = Link.openPinned(lab.pin("link_balancer_d0")).orElseThrow()) {
                link.detach();
            }
            attach(XdpMode.NATIVE);
            dataplane.keepAttached();
            assertNotEquals(foreign, attached().orElseThrow().programId());
            assertChained();
            assertTrue(Files.exists(lab.pin("chain_d0")));
        }
        openChaining().close();
        release();
        assertFalse(Files.exists(lab.pin("chain_d0")));
        assertEquals(foreign, attached().orElseThrow().programId());
    }
}
