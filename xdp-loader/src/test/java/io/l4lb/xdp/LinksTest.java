// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.Machine;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Links to a veth pair in a namespace of its own. */
@Tag("kernel")
class LinksTest {
    private final Namespaces namespaces = new Namespaces();

    @BeforeEach
    void makeInterfaces() {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
        namespaces.make("a");
        namespaces.connect("a", "v0", "a", "v1");
    }

    @AfterEach
    void removeInterfaces() {
        namespaces.close();
    }

    private <T> T inside(Callable<T> code) throws Exception {
        return ThreadContext.inNamespace(namespaces.name("a"), code);
    }

    private static int v0() {
        return Interfaces.index("v0").orElseThrow();
    }

    private static BpfObject load(BpfProgram program) {
        return BpfObject.open("test", program.object()).load();
    }

    @Test
    void interfaceWithoutAddressIsFound() throws Exception {
        assertTrue(inside(() -> Interfaces.index("v0")).isPresent());
        assertEquals(OptionalInt.empty(), inside(() -> Interfaces.index("v9")));
    }

    @Test
    void attachesNativelyReplacesAndDetaches() throws Exception {
        inside(() -> {
            try (BpfObject object = load(BpfProgram.PASS);
                    BpfObject other = load(BpfProgram.PASS);
                    ProgramHandle program = object.program("pass");
                    ProgramHandle next = other.program("pass");
                    XdpAttachment attached = Links.attachXdp(program, v0(), XdpMode.AUTO)) {
                assertEquals(XdpMode.NATIVE, attached.mode());
                assertEquals(v0(), attached.link().ifindex());
                assertEquals(program.id(), attached.link().programId());
                attached.link().update(next);
                assertEquals(next.id(), attached.link().programId());
                assertEquals(Optional.of(new AttachedXdp(XdpMode.NATIVE, next.id())), Links.attachedXdp(v0()));
            }
            assertEquals(Optional.empty(), Links.attachedXdp(v0()));
            return true;
        });
    }

    @Test
    void fallsBackToGenericMode() throws Exception {
        inside(() -> {
            int loopback = Interfaces.index("lo").orElseThrow(); // has no native XDP
            try (BpfObject object = load(BpfProgram.PASS);
                    ProgramHandle program = object.program("pass");
                    XdpAttachment attached = Links.attachXdp(program, loopback, XdpMode.AUTO)) {
                assertEquals(XdpMode.GENERIC, attached.mode());
                assertFalse(attached.whyNotNative().isEmpty());
                assertEquals(
                        XdpMode.GENERIC,
                        Links.attachedXdp(loopback).orElseThrow().mode());
            }
            return true;
        });
    }

    @Test
    void foreignProgramIsNamed() throws Exception {
        inside(() -> {
            try (BpfObject object = load(BpfProgram.PASS);
                    ProgramHandle program = object.program("pass");
                    Balancer balancer = new Balancer();
                    XdpAttachment foreign = Links.attachXdp(program, v0(), XdpMode.NATIVE)) {
                for (XdpMode mode : XdpMode.values()) {
                    InterfaceBusyException e = assertThrows(
                            InterfaceBusyException.class, () -> Links.attachXdp(balancer.program, v0(), mode));
                    assertEquals(program.id(), e.programId());
                    assertEquals("pass", e.programName());
                }
                assertEquals(program.id(), foreign.link().programId());
            }
            return true;
        });
    }

    @Test
    void pinnedLinkOutlivesItsHandleAndIsAdopted() throws Exception {
        try (TemporaryBpfFs pins = new TemporaryBpfFs()) {
            inside(() -> {
                long before = Descriptors.ofBpf();
                try (BpfObject object = load(BpfProgram.PASS);
                        ProgramHandle program = object.program("pass");
                        XdpAttachment attached = Links.attachXdp(program, v0(), XdpMode.NATIVE)) {
                    attached.link().pin(pins.path("link"));
                }
                assertTrue(Links.attachedXdp(v0()).isPresent());
                try (Balancer balancer = new Balancer();
                        Link adopted = Link.openPinned(pins.path("link")).orElseThrow()) {
                    adopted.update(balancer.program);
                    assertEquals(
                            balancer.program.id(),
                            Links.attachedXdp(v0()).orElseThrow().programId());
                }
                assertTrue(Link.unpin(pins.path("link")));
                assertEquals(before, Descriptors.ofBpf());
                return true;
            });
        }
    }

    @Test
    void vanishedInterfaceIsSeen() throws Exception {
        inside(() -> {
            try (BpfObject object = load(BpfProgram.PASS);
                    ProgramHandle program = object.program("pass");
                    XdpAttachment attached = Links.attachXdp(program, v0(), XdpMode.NATIVE)) {
                namespaces.ip("a", "link del v0");
                assertEquals(0, attached.link().ifindex());
                assertThrows(BpfException.class, () -> attached.link().update(program));
            }
            return true;
        });
    }

    @Test
    void tcxLinkAttachesUpdatesAndDetaches() throws Exception {
        Machine.need("tcx", !KernelRelease.here().isBefore(6, 6), "the kernel is older than 6.6");
        inside(() -> {
            try (BpfObject object = load(BpfProgram.PROBE);
                    BpfObject other = load(BpfProgram.PROBE);
                    ProgramHandle program = object.program("probe");
                    ProgramHandle next = other.program("probe");
                    Link link = Links.attachTcxEgress(program, v0())) {
                assertEquals(v0(), link.ifindex());
                link.update(next);
                assertEquals(next.id(), link.programId());
                link.detach();
                assertEquals(0, link.ifindex());
            }
            return true;
        });
    }
}
