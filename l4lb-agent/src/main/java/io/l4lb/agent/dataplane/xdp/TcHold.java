// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;
import java.nio.file.Path;

/** What holds a tc program on an interface; it outlives the agent. */
public interface TcHold extends AutoCloseable {
    /**
     * By a link where the kernel has tcx (6.6), else by a filter.
     *
     * @param pin of the link
     */
    static TcHold of(Direction direction, Path pin, KernelRelease release) {
        return release.isBefore(6, 6) ? new FilterHold(direction) : new LinkHold(direction, new PinnedLink(pin));
    }

    /** Puts the program there, or in the place of the one that is there. */
    void hold(int interfaceIndex, ProgramHandle program);

    /** Whether the program that was last put there is there. */
    boolean holds(int interfaceIndex);

    /** Whether anything holds a program there. */
    boolean isThere(int interfaceIndex);

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
}
