// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.AttachedXdp;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.KernelRelease;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TcFilter.Direction;
import io.l4lb.xdp.XdpMode;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Both programs on one interface, and the program that was there before them, if it is chained. */
final class InterfaceLinks implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(InterfaceLinks.class.getName());

    private final String name;
    private final AttachmentPlan plan;
    private final InterfacePins pins;
    private final PinnedLink balancer;
    private final TcHold probe;
    private final Path chainPin;
    private final BalancerMode mode;
    private @Nullable ChainedProgram chained;
    private XdpMode displacedFrom = XdpMode.AUTO;
    private int index;
    private boolean adopted;

    InterfaceLinks(String name, AttachmentPlan plan) {
        this.name = name;
        this.plan = plan;
        this.pins = new InterfacePins(plan.pinDir(), name);
        this.balancer = new PinnedLink(pins.of(InterfacePins.BALANCER));
        this.probe = TcHold.of(Direction.EGRESS, pins.of(InterfacePins.PROBE), KernelRelease.here());
        this.chainPin = pins.of(InterfacePins.CHAIN);
        this.mode = new BalancerMode(name, plan.mode());
    }

    String name() {
        return name;
    }

    /** Whether both programs are on the interface, and are ours. */
    boolean isAttached(int interfaceIndex) {
        return balancer.holds(interfaceIndex) && probe.holds(interfaceIndex);
    }

    /**
     * Attaches both programs, or puts them in the place of those that are attached.
     *
     * @throws DataplaneException if that cannot be
     */
    void attach(int interfaceIndex, LoadedPrograms programs) {
        index = interfaceIndex;
        try (ProgramHandle tunnel = programs.probe()) {
            pins.adopt(index);
            probe.hold(index, tunnel);
            XdpMode wanted = makeRoom(programs);
            try (ProgramHandle program = chained == null ? programs.balancer() : chained.balancer()) {
                boolean found = balancer.hold(index, program, () -> mode.attach(program, index, wanted));
                adopted |= found && mode.actual() == XdpMode.AUTO;
                mode.follow(index, found);
            }
        } catch (BpfException e) {
            throw new DataplaneException("interface " + name + ": " + e.getMessage(), e);
        }
    }

    /** Pins again what has lost its pin. */
    void keepPinned(LostPins lost) {
        balancer.keepPinned(lost);
        probe.keepPinned(lost);
        if (chained != null) {
            chained.keepPinned(lost);
        }
    }

    /** Sees to it that the interface has no program, or ours; returns the mode to attach in. */
    private XdpMode makeRoom(LoadedPrograms programs) {
        if (chained == null) {
            chained = ChainedProgram.pinned(chainPin, programs).orElse(null);
        }
        AttachedXdp attached = Links.attachedXdp(index).orElse(null);
        if (attached == null || balancer.interfaceIndex() == index) {
            return plan.mode();
        }
        if (!plan.chain() || Links.xdpLink(index, attached.programId()).isPresent()) {
            throw inTheWay(attached);
        }
        if (chained == null) {
            chained = ChainedProgram.displace(chainPin, programs, index, attached);
        } else if (!chained.retake(index, attached)) {
            throw new DataplaneException("interface " + name + ": " + ChainedProgram.describe(index, attached)
                    + ", but " + chained.name() + " is chained already: take this one off");
        }
        displacedFrom = attached.mode();
        LOG.log(System.Logger.Level.INFO, "{0} on {1} gets what the balancer passes", chained.name(), name);
        return plan.mode() == XdpMode.AUTO ? attached.mode() : plan.mode();
    }

    private DataplaneException inTheWay(AttachedXdp attached) {
        String switched = attached.mode() == XdpMode.GENERIC ? "xdpgeneric" : "xdp";
        String remedy = Links.xdpLink(index, attached.programId()).isPresent()
                ? ""
                : "; take it off (ip link set dev " + name + " " + switched
                        + " off), or set chain = true to keep it behind the balancer";
        return new DataplaneException("interface " + name + ": " + ChainedProgram.describe(index, attached) + remedy);
    }

    /** Whether the balancer was found on the interface. */
    boolean adopted() {
        return adopted;
    }

    /** Name and id of the program that gets what the balancer passes; empty: there is none. */
    Optional<String> chained() {
        return Optional.ofNullable(chained).map(ChainedProgram::name);
    }

    /** Index of the interface that has the balancer, whatever its name is by now; 0: none. */
    int where() {
        return balancer.interfaceIndex();
    }

    /** Whether the balancer is on the interface, or was. */
    boolean wasAttached() {
        return mode.actual() != XdpMode.AUTO;
    }

    /** How XDP is attached, in the configuration's word. */
    String mode() {
        return mode.actual().word();
    }

    /** What an operator should know; empty: nothing. */
    Optional<String> note() {
        String kept = chained == null || plan.chain()
                ? ""
                : chained.name() + " on " + name
                        + " gets what the balancer passes although chain = false: it was chained"
                        + " by an earlier start";
        return Stream.of(mode.note(), kept).filter(text -> !text.isEmpty()).reduce((one, other) -> one + "; " + other);
    }

    /** What has been done so far stays, whatever happens next. */
    void commit() {
        balancer.commit();
        probe.commit();
        pins.commit();
        displacedFrom = XdpMode.AUTO;
    }

    /** Leaves the interface as it was before, as far as the kernel lets it. */
    void undo() {
        attempt(balancer::undo);
        attempt(probe::undo);
        if (displacedFrom != XdpMode.AUTO && chained != null) {
            ChainedProgram program = chained;
            attempt(() -> program.putBack(index, displacedFrom));
        }
        attempt(pins::undo);
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (DataplaneException | BpfException e) {
            LOG.log(System.Logger.Level.WARNING, "interface {0} is not as it was before: {1}", name, e.getMessage());
        }
    }

    @Override
    public void close() {
        balancer.close();
        probe.close();
        if (chained != null) {
            chained.close();
        }
    }
}
