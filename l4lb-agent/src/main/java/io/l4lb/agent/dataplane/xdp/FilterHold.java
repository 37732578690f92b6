// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter;
import io.l4lb.xdp.TcFilter.Direction;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A tc program as a filter of clsact, which the kernel keeps without a pin. */
final class FilterHold implements TcHold {
    private final TcFilter filter;

    private @Nullable ProgramHandle before;
    private boolean made;
    private int on;
    private int ours;

    FilterHold(Direction direction) {
        this.filter = filter(direction);
    }

    /** "L4": no filter of anybody else has these, it is hoped. */
    static TcFilter filter(Direction direction) {
        return new TcFilter(direction, 0x4c34, 0x4c34);
    }

    @Override
    public void hold(int interfaceIndex, ProgramHandle program) {
        OptionalInt found = filter.programId(interfaceIndex);
        if (found.isEmpty()) {
            made = true;
        } else if (before == null && !made) {
            before = ProgramHandle.byId(found.getAsInt()).orElse(null);
        }
        filter.attach(program, interfaceIndex);
        on = interfaceIndex;
        ours = program.id();
    }

    @Override
    public boolean holds(int interfaceIndex) {
        return filter.programId(interfaceIndex).equals(OptionalInt.of(ours));
    }

    @Override
    public boolean isThere(int interfaceIndex) {
        return interfaceIndex != 0 && filter.programId(interfaceIndex).isPresent();
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
            filter.detach(on);
        } else if (before != null) {
            filter.attach(before, on);
        }
        commit();
    }

    @Override
    public void release(int interfaceIndex) {
        if (interfaceIndex != 0) {
            filter.detach(interfaceIndex);
        }
    }

    @Override
    public void close() {
        commit();
    }
}
