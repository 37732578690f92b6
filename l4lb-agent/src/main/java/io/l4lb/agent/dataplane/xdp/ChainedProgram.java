// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.NetlinkXdp;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpMode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A program that somebody else had put on an interface, and that now gets what the balancer passes, by a tail call. The
 * array that names it is pinned, which keeps the program, so that it is found again after a restart.
 */
final class ChainedProgram implements AutoCloseable {
    /** Its place in the array. */
    static final int ONLY = 0;

    private final Path pin;
    private final KeptPin kept;
    private final BpfObject balancer;
    private final BpfMap chain;
    private final ProgramHandle foreign;

    private ChainedProgram(Path pin, BpfObject balancer, BpfMap chain, ProgramHandle foreign) {
        this.pin = pin;
        this.kept = new KeptPin(pin);
        this.balancer = balancer;
        this.chain = chain;
        this.foreign = foreign;
    }

    /** The program that an earlier agent chained, if there is one. */
    static Optional<ChainedProgram> pinned(Path pin, LoadedPrograms programs) {
        BpfMap chain = BpfMap.openPinned(pin).orElse(null);
        if (chain == null) {
            return Optional.empty();
        }
        ProgramHandle foreign = chain.program(ONLY).orElse(null);
        if (foreign == null) {
            chain.close();
            return Optional.empty();
        }
        try {
            ChainedProgram chained = new ChainedProgram(pin, programs.chaining(Optional.of(chain)), chain, foreign);
            chained.kept.seen();
            return Optional.of(chained);
        } catch (RuntimeException e) {
            foreign.close();
            chain.close();
            throw e;
        }
    }

    /**
     * Chains a program and takes it off the interface, so that the balancer can take its place.
     *
     * @throws DataplaneException if that cannot be; the program is where it was
     */
    static ChainedProgram displace(Path pin, LoadedPrograms programs, int interfaceIndex, AttachedXdp attached) {
        ProgramHandle foreign = attached.program()
                .orElseThrow(() -> new DataplaneException("the XDP program " + attached.programId() + " is gone"));
        BpfObject balancer = programs.chaining(Optional.empty());
        ChainedProgram chained = new ChainedProgram(pin, balancer, balancer.map("chain"), foreign);
        try {
            chained.enter();
            BpfMap.unpin(pin);
            chained.chain.pin(pin);
            chained.kept.seen();
            NetlinkXdp.detach(foreign, interfaceIndex, attached.mode());
            return chained;
        } catch (RuntimeException e) {
            BpfMap.unpin(pin);
            chained.close();
            throw e;
        }
    }

    private void enter() {
        try {
            chain.updateFd(ONLY, foreign);
        } catch (BpfException e) {
            throw new DataplaneException(
                    "XDP program " + foreign.id() + " \"" + foreign.name()
                            + "\" cannot be chained, since the kernel allows no tail call to it from the balancer: "
                            + e.getMessage(),
                    e);
        }
    }

    /** What to say of a program that is in the way. */
    static String describe(int interfaceIndex, AttachedXdp attached) {
        String name = attached.program()
                .map(program -> {
                    try (program) {
                        return " \"" + program.name() + "\"";
                    }
                })
                .orElse("");
        OptionalInt link = Links.xdpLink(interfaceIndex, attached.programId());
        String what = "XDP program " + attached.programId() + name + " is attached there";
        return link.isPresent()
                ? what + " by link " + link.getAsInt()
                        + " of somebody else, who alone can take it off: it can neither be"
                        + " replaced nor chained (bpftool link show id " + link.getAsInt() + " may tell whose it is)"
                : what;
    }

    /** Pins the array again if its pin is gone. */
    void keepPinned(LostPins pins) {
        pins.look(kept, chain::pin);
    }

    /** Kernel's name and id of it. */
    String name() {
        return "\"" + foreign.name() + "\" (program " + foreign.id() + ")";
    }

    /** A new handle on the balancer that hands packets on to it. */
    ProgramHandle balancer() {
        return balancer.program("balancer");
    }

    /** Takes it off the interface once more, if it is the one that is attached there. */
    boolean retake(int interfaceIndex, AttachedXdp attached) {
        if (foreign.id() != attached.programId()) {
            return false;
        }
        NetlinkXdp.detach(foreign, interfaceIndex, attached.mode());
        return true;
    }

    /** Puts it back where it was, from where the balancer has gone. */
    void putBack(int interfaceIndex, XdpMode mode) {
        putBack(foreign, interfaceIndex, mode);
        BpfMap.unpin(pin);
    }

    static void putBack(ProgramHandle foreign, int interfaceIndex, XdpMode mode) {
        NetlinkXdp.attach(foreign, interfaceIndex, mode);
    }

    @Override
    public void close() {
        foreign.close();
        chain.close();
        balancer.close();
    }
}
