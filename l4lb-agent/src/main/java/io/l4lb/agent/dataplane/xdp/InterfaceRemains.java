// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;
import io.l4lb.xdp.XdpMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What an agent has left on one interface, found by its pins.
 *
 * @param pinDir where the pins are
 * @param name of the interface
 */
record InterfaceRemains(Path pinDir, String name) {
    private Path pin(String what) {
        return new InterfacePins(pinDir, name).of(what);
    }

    private Path chain() {
        return pin(InterfacePins.CHAIN);
    }

    /** What there is, each in words. */
    List<String> list() {
        List<String> things = new ArrayList<>();
        if (Files.exists(pin(InterfacePins.BALANCER))) {
            things.add("the balancer on " + name);
        }
        if (Files.exists(pin(InterfacePins.PROBE)) || (KernelRelease.here().isBefore(6, 6) && hasFilter())) {
            things.add("the probe program on " + name);
        }
        if (Files.exists(chain())) {
            things.add("the array of the program that was chained on " + name + ", which is put back");
        }
        return things;
    }

    private boolean hasFilter() {
        int index = index(0);
        return index != 0
                && FilterHold.filter(Direction.EGRESS).programId(index).isPresent();
    }

    /** By the link where that is, else by the name; 0: nowhere. */
    private int index(int ofLink) {
        return ofLink != 0 ? ofLink : Interfaces.index(name).orElse(0);
    }

    /** Takes everything off the interface, and puts back what was there before. */
    void release() {
        try (PinnedLink balancer = new PinnedLink(pin(InterfacePins.BALANCER));
                TcHold probe = TcHold.of(Direction.EGRESS, pin(InterfacePins.PROBE), KernelRelease.here())) {
            int where = balancer.interfaceIndex();
            Optional<XdpMode> mode =
                    where == 0 ? Optional.empty() : Links.attachedXdp(where).map(AttachedXdp::mode);
            balancer.release();
            probe.release(index(where));
            putBack(where, mode.orElse(XdpMode.AUTO));
        }
    }

    private void putBack(int where, XdpMode mode) {
        Optional<BpfMap> pinned = where == 0 ? Optional.empty() : BpfMap.openPinned(chain());
        if (pinned.isPresent()) {
            try (BpfMap map = pinned.get()) {
                Optional<ProgramHandle> foreign = map.program(ChainedProgram.ONLY);
                if (foreign.isPresent()) {
                    try (ProgramHandle program = foreign.get()) {
                        ChainedProgram.putBack(program, where, mode);
                    }
                }
            }
        }
        BpfMap.unpin(chain());
    }
}
