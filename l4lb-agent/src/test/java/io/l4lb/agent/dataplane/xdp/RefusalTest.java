// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.web;
import static io.l4lb.test.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpAttachment;
import io.l4lb.xdp.XdpMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What cannot be is said in words, and leaves nothing behind. */
@Tag("kernel")
final class RefusalTest {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    private static void assertRefused(String why, XdpSection section) {
        long bpf = Descriptors.ofBpf();
        long sockets = Descriptors.ofSocketsAndEvents();
        String message = assertThrows(DataplaneException.class, () -> XdpDataplane.open(section, Samples.SEED))
                .toString();
        assertTrue(message.contains(why), message);
        assertEquals(bpf, Descriptors.ofBpf());
        assertEquals(sockets, Descriptors.ofSocketsAndEvents());
    }

    private List<Path> pins() throws IOException {
        try (Stream<Path> pins = Files.list(lab.pinDirectory())) {
            return pins.toList();
        }
    }

    private static XdpAttachment attachForeign() {
        try (BpfObject object =
                        BpfObject.open("foreign", BpfProgram.PASS.object()).load();
                ProgramHandle program = object.program("pass")) {
            return Links.attachXdp(program, DirectorLab.index(), XdpMode.NATIVE);
        }
    }

    @Test
    void foreignProgramIsNamedAndLeftAlone() throws IOException {
        try (XdpAttachment foreign = attachForeign()) {
            AttachedXdp attached = Links.attachedXdp(DirectorLab.index()).orElseThrow();
            assertRefused("\"pass\" is attached there", lab.section());
            assertEquals(Optional.of(attached), Links.attachedXdp(DirectorLab.index()));
            assertEquals(foreign.link().programId(), attached.programId());
            assertEquals(List.of(), pins());
        }
        try (XdpDataplane dataplane = lab.open()) {
            assertFalse(dataplane.info().adopted());
        }
    }

    @Test
    void whatWasThereBeforeARefusalStays() throws IOException {
        lab.openWith(web(), REALS).close();
        Files.delete(lab.pin("link_balancer_d0"));
        await(
                "the kernel detaches a link without names and handles, in its own time",
                () -> Links.attachedXdp(DirectorLab.index()).isEmpty());
        try (XdpAttachment foreign = attachForeign()) {
            assertTrue(foreign.whyNotNative().isEmpty());
            assertRefused("\"pass\" is attached there", lab.section());
        }
        assertTrue(lab.hasProbe("d0"));
        try (XdpDataplane dataplane = lab.open()) {
            assertTrue(web().doneBy(dataplane.observe()));
        }
    }

    @Test
    void missingInterface() throws IOException {
        assertRefused("no interface \"d9\" here", DirectorLab.section("d9", lab.pinDirectory(), 4096));
        assertFalse(Files.exists(lab.pinDirectory()));
    }

    @Test
    void pinDirectoryThatIsInNoBpffs(@TempDir Path directory) {
        assertRefused("no bpffs is mounted there", DirectorLab.section("d0", directory.resolve("a/l4lb"), 4096));
        assertFalse(Files.exists(directory.resolve("a")));
        assertTrue(Links.attachedXdp(DirectorLab.index()).isEmpty());
    }

    @Test
    void pinDirectoryThatCannotBeMade() throws IOException {
        assertRefused("no bpffs is mounted there", DirectorLab.section("d0", Path.of("/proc/l4lb"), 4096));
    }

    @Test
    void withoutPermission() throws Exception {
        ThreadContext.withoutCapabilities(() -> {
            assertRefused("CAP_BPF", lab.section());
            return true;
        });
        lab.openWith(web(), REALS).close();
        ThreadContext.withoutCapabilities(() -> {
            assertRefused("CAP_BPF", lab.section());
            return true;
        });
        try (XdpDataplane dataplane = lab.open()) {
            assertTrue(dataplane.info().adopted());
            assertTrue(web().doneBy(dataplane.observe()));
        }
    }

    @Test
    void pinnedMapOfAnotherKind() {
        lab.open().close();
        try (BpfObject object =
                        BpfObject.open("other", BpfProgram.PASS.object()).load();
                ProgramHandle program = object.program("pass")) {
            Files.delete(lab.pin("reals"));
            program.pin(lab.pin("reals"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        assertRefused("a map was expected", lab.section());
    }
}
