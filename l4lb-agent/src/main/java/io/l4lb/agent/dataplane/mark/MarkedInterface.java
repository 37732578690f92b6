// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.xdp.InterfacePins;
import io.l4lb.agent.dataplane.xdp.KeptPin;
import io.l4lb.agent.dataplane.xdp.LostPins;
import io.l4lb.agent.dataplane.xdp.TcHold;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The marker on one interface. Where a filter holds it, which needs no pin, the program is pinned under the interface's name
 * all the same, so that whoever comes later knows where it is.
 */
final class MarkedInterface implements AutoCloseable {
    /** What the names of pins begin with: of links, and of programs that filters hold. */
    static final String LINK = "link_marker";

    static final String FILTER = "filter_marker";

    private final String name;
    private final KernelRelease release;
    private final Path filter;
    private final KeptPin kept;
    private final TcHold hold;
    private final boolean adopted;

    MarkedInterface(Path pinDir, String name) {
        this(pinDir, name, KernelRelease.here());
    }

    MarkedInterface(Path pinDir, String name, KernelRelease release) {
        InterfacePins pins = new InterfacePins(pinDir, name);
        Path link = pins.of(LINK);
        this.name = name;
        this.release = release;
        this.filter = pins.of(FILTER);
        this.kept = new KeptPin(filter);
        this.adopted = Files.exists(isFilter() ? filter : link);
        this.hold = TcHold.of(Direction.INGRESS, link, release);
    }

    String name() {
        return name;
    }

    private boolean isFilter() {
        return release.isBefore(6, 6);
    }

    /** Whether an agent before has left it here. */
    boolean adopted() {
        return adopted;
    }

    boolean isAttached(int index) {
        return hold.holds(index);
    }

    /** Puts the program there, or in the place of the one that is there. */
    void attach(int index, ProgramHandle program) {
        try {
            hold.hold(index, program);
            if (isFilter()) {
                BpfMap.unpin(filter);
                program.pin(filter);
                kept.seen();
            }
        } catch (BpfException e) {
            throw new DataplaneException("interface " + name + ": " + e.getMessage(), e);
        }
    }

    /** Pins again what has lost its pin. */
    void keepPinned(LostPins pins, ProgramHandle program) {
        hold.keepPinned(pins);
        if (isFilter()) {
            pins.look(kept, program::pin);
        }
    }

    /** What has been done so far stays, whatever happens next. */
    void commit() {
        hold.commit();
    }

    /** Leaves the interface as it was before. */
    void undo() {
        hold.undo();
        if (!adopted) {
            BpfMap.unpin(filter);
        }
    }

    /** Whether there is something to {@link #release}. */
    boolean isThere() {
        return adopted || (isFilter() && hold.isThere(index()));
    }

    private int index() {
        return Interfaces.index(name).orElse(0);
    }

    /** Takes the program off. */
    void release() {
        hold.release(index());
        BpfMap.unpin(filter);
    }

    @Override
    public void close() {
        hold.close();
    }
}
