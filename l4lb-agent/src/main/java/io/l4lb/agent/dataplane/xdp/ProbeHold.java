// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import java.nio.file.Path;

/** What holds the probe program on an interface; it outlives the agent. */
interface ProbeHold extends AutoCloseable {
    /** By a link where the kernel has tcx (6.6), else by a filter. */
    static ProbeHold of(Path pin, KernelRelease release) {
        return release.isBefore(6, 6) ? new ProbeFilter() : new ProbeLink(new PinnedLink(pin));
    }

    /** Puts the program there, or in the place of the one that is there. */
    void hold(int interfaceIndex, ProgramHandle program);

    /** Whether the program that was last put there is there. */
    boolean holds(int interfaceIndex);

    /** Pins again what was pinned. */
    void keepPinned(LostPins pins);

    /** What has been done so far stays, whatever happens next. */
    void commit();

    /** Leaves the interface as it was before the last {@link #commit}. */
    void undo();

    /**
     * Takes the program off the interface.
     *
     * @param interfaceIndex 0: it is gone, and the program with it
     */
    void release(int interfaceIndex);

    @Override
    void close();

    /**
     * By a link that is pinned.
     *
     * @param link of the interface
     */
    record ProbeLink(PinnedLink link) implements ProbeHold {
        @Override
        public void hold(int interfaceIndex, ProgramHandle program) {
            link.hold(interfaceIndex, program, () -> Links.attachTcxEgress(program, interfaceIndex));
        }

        @Override
        public boolean holds(int interfaceIndex) {
            return link.holds(interfaceIndex);
        }

        @Override
        public void keepPinned(LostPins pins) {
            link.keepPinned(pins);
        }

        @Override
        public void commit() {
            link.commit();
        }

        @Override
        public void undo() {
            link.undo();
        }

        @Override
        public void release(int interfaceIndex) {
            link.release();
        }

        @Override
        public void close() {
            link.close();
        }
    }
}
