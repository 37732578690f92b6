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
import java.util.OptionalInt;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A filter of clsact with a program. */
@Tag("kernel")
class TcFilterTest {
    private static final TcFilter FILTER = new TcFilter(TcFilter.Direction.EGRESS, 7, 70);

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

    private static int v0() {
        return Interfaces.index("v0").orElseThrow();
    }

    private int attach(TcFilter filter) {
        try (BpfObject object =
                        BpfObject.open("test", BpfProgram.PROBE.object()).load();
                ProgramHandle program = object.program("probe")) {
            filter.attach(program, v0());
            return program.id();
        }
    }

    @Test
    void isMadeReplacedAndRemoved() {
        assertEquals(OptionalInt.empty(), FILTER.programId(v0()));
        int first = attach(FILTER);
        assertEquals(OptionalInt.of(first), FILTER.programId(v0()));
        int other = attach(new TcFilter(TcFilter.Direction.EGRESS, 8, 80));
        int second = attach(FILTER);
        assertEquals(OptionalInt.of(second), FILTER.programId(v0()));
        assertTrue(FILTER.detach(v0()));
        assertFalse(FILTER.detach(v0()));
        assertEquals(OptionalInt.empty(), FILTER.programId(v0()));
        assertEquals(OptionalInt.of(other), new TcFilter(TcFilter.Direction.EGRESS, 8, 80).programId(v0()));
    }

    @Test
    void whatComesInHasFiltersOfItsOwn() {
        TcFilter ingress = new TcFilter(TcFilter.Direction.INGRESS, FILTER.handle(), FILTER.priority());
        int leaving = attach(FILTER);
        assertEquals(OptionalInt.empty(), ingress.programId(v0()));
        int comingIn = attach(ingress);
        assertEquals(OptionalInt.of(comingIn), ingress.programId(v0()));
        assertTrue(ingress.detach(v0()));
        assertEquals(OptionalInt.of(leaving), FILTER.programId(v0()));
    }

    @Test
    void isAbsentFromAnInterfaceThatIsGone() {
        int index = v0();
        attach(FILTER);
        namespaces.ip("a", "link del v0");
        assertEquals(OptionalInt.empty(), FILTER.programId(index));
        assertFalse(FILTER.detach(index));
        try (BpfObject object =
                        BpfObject.open("test", BpfProgram.PROBE.object()).load();
                ProgramHandle program = object.program("probe")) {
            assertThrows(BpfException.class, () -> FILTER.attach(program, index));
        }
    }
}
