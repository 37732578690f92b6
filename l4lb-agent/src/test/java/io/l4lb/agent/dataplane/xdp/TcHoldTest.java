// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Descriptors;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;
import java.nio.file.Files;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Link and filter hold a program alike. */
@Tag("kernel")
final class TcHoldTest {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(() -> {
        String namespace = lab.build();
        Files.createDirectories(lab.pinDirectory());
        return namespace;
    });

    private TcHold hold(String release) {
        return TcHold.of(Direction.EGRESS, lab.pin("link_probe_d0"), new KernelRelease(release));
    }

    private static ProgramHandle load() {
        try (BpfObject object =
                BpfObject.open("probe", BpfProgram.PROBE.object()).load()) {
            return object.program("probe");
        }
    }

    @Test
    void theKernelDecides() {
        try (TcHold old = hold("6.1.0-13-amd64");
                TcHold fresh = hold("6.12.5")) {
            assertInstanceOf(FilterHold.class, old);
            assertInstanceOf(LinkHold.class, fresh);
        }
    }

    @Test
    void bothHoldReplaceUndoAndRelease() {
        holdsReplacesUndoesAndReleases(() -> hold("6.1.0"));
        if (DirectorLab.linked().contains("probe")) {
            holdsReplacesUndoesAndReleases(() -> hold("6.12.5"));
        }
    }

    private static void holdsReplacesUndoesAndReleases(Supplier<TcHold> holds) {
        long bpf = Descriptors.ofBpf();
        int index = DirectorLab.index();
        try (ProgramHandle first = load();
                ProgramHandle second = load();
                TcHold one = holds.get();
                TcHold other = holds.get()) {
            assertFalse(one.holds(index));
            one.hold(index, first);
            assertTrue(one.holds(index));
            one.undo();
            assertFalse(one.holds(index));
            one.hold(index, first);
            one.commit();
            other.hold(index, second);
            assertTrue(other.holds(index));
            assertFalse(one.holds(index));
            other.undo();
            assertTrue(one.holds(index));
            other.hold(index, second);
            other.commit();
            other.undo();
            assertTrue(other.holds(index));
            other.release(index);
            assertFalse(other.holds(index));
        }
        assertEquals(bpf, Descriptors.ofBpf());
    }
}
