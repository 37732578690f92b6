// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.InNamespace;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs on an interface without a link. */
@Tag("kernel")
class NetlinkXdpTest {
    @AutoClose
    private final Namespaces namespaces = new Namespaces();

    @RegisterExtension
    final InNamespace inside = new InNamespace(() -> {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
        namespaces.make("a");
        namespaces.connect("a", "v0", "a", "v1");
        return namespaces.name("a");
    });

    @AutoClose
    private final BpfObject object = BpfObject.open("test", BpfProgram.PASS.object());

    private static int v0() {
        return Interfaces.index("v0").orElseThrow();
    }

    private ProgramHandle load() {
        return object.load().program("pass");
    }

    @Test
    void staysWithoutAHandleUntilItIsTakenOff() {
        for (XdpMode mode : new XdpMode[] {XdpMode.NATIVE, XdpMode.GENERIC}) {
            int id;
            try (BpfObject own =
                            BpfObject.open("test", BpfProgram.PASS.object()).load();
                    ProgramHandle program = own.program("pass")) {
                NetlinkXdp.attach(program, v0(), mode);
                id = program.id();
            }
            assertEquals(Optional.of(new AttachedXdp(mode, id)), Links.attachedXdp(v0()));
            assertEquals(OptionalInt.empty(), Links.xdpLink(v0(), id));
            try (ProgramHandle found =
                    Links.attachedXdp(v0()).orElseThrow().program().orElseThrow()) {
                assertEquals("pass", found.name());
                NetlinkXdp.detach(found, v0(), mode);
            }
            assertEquals(Optional.empty(), Links.attachedXdp(v0()));
        }
    }

    @Test
    void aProgramThatIsThereIsNotReplaced() {
        try (ProgramHandle program = load();
                Balancer balancer = new Balancer()) {
            NetlinkXdp.attach(program, v0(), XdpMode.AUTO);
            InterfaceBusyException busy = assertThrows(
                    InterfaceBusyException.class, () -> NetlinkXdp.attach(balancer.program, v0(), XdpMode.AUTO));
            assertEquals(program.id(), busy.programId());
            assertEquals(0, busy.linkId());
            InterfaceBusyException link = assertThrows(
                    InterfaceBusyException.class, () -> Links.attachXdp(balancer.program, v0(), XdpMode.AUTO));
            assertEquals("pass", link.programName());
            assertFalse(link.toString().contains("by link"), link.toString());
        }
    }

    @Test
    void onlyTheProgramThatIsExpectedIsTakenOff() {
        try (ProgramHandle program = load();
                Balancer balancer = new Balancer()) {
            NetlinkXdp.attach(program, v0(), XdpMode.NATIVE);
            assertThrows(BpfException.class, () -> NetlinkXdp.detach(balancer.program, v0(), XdpMode.NATIVE));
            assertEquals(program.id(), Links.attachedXdp(v0()).orElseThrow().programId());
        }
    }

    @Test
    void whatALinkHoldsIsNotTakenOff() {
        try (ProgramHandle program = load();
                XdpAttachment attached = Links.attachXdp(program, v0(), XdpMode.NATIVE)) {
            InterfaceBusyException busy =
                    assertThrows(InterfaceBusyException.class, () -> NetlinkXdp.detach(program, v0(), XdpMode.NATIVE));
            assertEquals(attached.link().id(), busy.linkId());
            assertEquals(OptionalInt.of(attached.link().id()), Links.xdpLink(v0(), program.id()));
            assertTrue(busy.toString().contains("by link " + attached.link().id()), busy.toString());
        }
    }

    @Test
    void programsAreKeptInAnArrayOfPrograms() {
        try (ProgramHandle program = load();
                Balancer balancer = new Balancer();
                BpfMap chain = balancer.object.map("chain")) {
            assertEquals(Optional.empty(), chain.program(0));
            chain.updateFd(0, program);
            try (ProgramHandle found = chain.program(0).orElseThrow()) {
                assertEquals(program.id(), found.id());
            }
        }
    }
}
