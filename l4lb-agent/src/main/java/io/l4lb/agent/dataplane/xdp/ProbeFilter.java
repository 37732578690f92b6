// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The probe program as a filter of clsact, which the kernel keeps without a pin. */
final class ProbeFilter implements ProbeHold {
    /** "L4": no filter of anybody else has these, it is hoped. */
    static final TcFilter FILTER = new TcFilter(0x4c34, 0x4c34);

    private @Nullable ProgramHandle before;
    private boolean made;
    private int on;
    private int ours;

    @Override
    public void hold(int interfaceIndex, ProgramHandle program) {
        OptionalInt found = FILTER.programId(interfaceIndex);
        if (found.isEmpty()) {
            made = true;
        } else if (before == null && !made) {
            before = ProgramHandle.byId(found.getAsInt()).orElse(null);
        }
        FILTER.attachEgress(program, interfaceIndex);
        on = interfaceIndex;
        ours = program.id();
    }

    @Override
    public boolean holds(int interfaceIndex) {
        return FILTER.programId(interfaceIndex).equals(OptionalInt.of(ours));
    }

    @Override
    public void keepPinned(LostPins pins) {}

    @Override
    public void commit() {
        made = false;
        Optional.ofNullable(before).ifPresent(ProgramHandle::close);
        before = null;
    }

    @Override
    public void undo() {
        if (made) {
            FILTER.detach(on);
        } else if (before != null) {
            FILTER.attachEgress(before, on);
        }
        commit();
    }

    @Override
    public void release(int interfaceIndex) {
        if (interfaceIndex != 0) {
            FILTER.detach(interfaceIndex);
        }
    }

    @Override
    public void close() {
        commit();
    }
}
