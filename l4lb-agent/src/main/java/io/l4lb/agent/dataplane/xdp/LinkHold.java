// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;

/**
 * A tc program by a link that is pinned.
 *
 * @param link of the interface
 */
record LinkHold(Direction direction, PinnedLink link) implements TcHold {
    @Override
    public void hold(int interfaceIndex, ProgramHandle program) {
        link.hold(interfaceIndex, program, () -> attach(program, interfaceIndex));
    }

    private Link attach(ProgramHandle program, int interfaceIndex) {
        return switch (direction) {
            case INGRESS -> Links.attachTcxIngress(program, interfaceIndex);
            case EGRESS -> Links.attachTcxEgress(program, interfaceIndex);
        };
    }

    @Override
    public boolean holds(int interfaceIndex) {
        return link.holds(interfaceIndex);
    }

    @Override
    public boolean isThere(int interfaceIndex) {
        return interfaceIndex != 0 && link.interfaceIndex() == interfaceIndex;
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
