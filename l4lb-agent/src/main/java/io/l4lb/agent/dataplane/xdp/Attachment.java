// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.Interfaces;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The balancer and the probe program on their interfaces, with their maps. Everything is pinned, so that it outlives the
 * agent; what is already pinned is taken over: maps are kept as far as their layout fits ({@link MapRole} says what
 * becomes of the others), and the programs of links are replaced at once while packets flow. What fails leaves everything
 * as it was. For one thread.
 */
final class Attachment implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Attachment.class.getName());

    private final AttachmentPlan plan;
    private final PinnedMaps maps;
    private final List<InterfaceLinks> interfaces;
    private final Set<String> notes = new LinkedHashSet<>();
    private final Presence presence;
    private final LoadedPrograms programs;
    private Optional<String> unpinned = Optional.empty();

    private Attachment(AttachmentPlan plan, PinnedMaps maps, LoadedPrograms programs) {
        this.plan = plan;
        this.maps = maps;
        this.programs = programs;
        this.presence = new Presence(plan.interfaces());
        this.interfaces = plan.interfaces().stream()
                .map(name -> new InterfaceLinks(name, plan))
                .toList();
    }

    /**
     * Loads the programs with their maps; nothing is attached yet, so that the maps can be filled first.
     *
     * @throws DataplaneException if none of the interfaces is there, the kernel refuses, or what is pinned does not fit
     */
    static Attachment load(AttachmentPlan plan) {
        if (new Presence(plan.interfaces()).indexes().isEmpty()) {
            throw noneIsThere(plan.interfaces());
        }
        PinDirectory.make(plan.pinDir());
        PinnedMaps maps = new PinnedMaps(plan.pinDir());
        try {
            Attachment attachment = new Attachment(plan, maps, LoadedPrograms.load(plan, maps));
            attachment.carryOver();
            return attachment;
        } catch (DataplaneException | BpfException e) {
            maps.close();
            throw Kernel.refused(e);
        }
    }

    private void carryOver() {
        try {
            notes.addAll(Upgrade.carryOver(plan.flows(), maps));
        } catch (DataplaneException | BpfException e) {
            close();
            throw e;
        }
    }

    private static DataplaneException noneIsThere(List<String> names) {
        return new DataplaneException(
                names.size() == 1
                        ? "no interface \"" + names.get(0) + "\" here: xdp.interfaces names it"
                        : "none of the interfaces that xdp.interfaces names is here: " + String.join(", ", names));
    }

    /**
     * Attaches both programs everywhere, or puts them in the place of those that are attached; then pins what is new. An
     * interface that is missing is left to {@link #keepAttached}.
     *
     * @throws DataplaneException if the programs cannot be put on an interface, or if there is none
     */
    void attach() {
        for (InterfaceLinks links : interfaces) {
            presence.find(links.name()).ifPresent(index -> links.attach(index, programs));
        }
        if (presence.none()) {
            throw noneIsThere(plan.interfaces());
        }
        maps.commit();
        interfaces.forEach(InterfaceLinks::commit);
        leaveOthers();
    }

    /** Interfaces that an agent was on which had another configuration. */
    private void leaveOthers() {
        for (String name : new LeftInterfaces(plan).names()) {
            String note = "interface " + name + " is not in xdp.interfaces any more: ";
            try {
                new InterfaceRemains(plan.pinDir(), name).release();
                notes.add(note + "the programs are taken off it");
            } catch (DataplaneException | BpfException e) {
                notes.add(note + "the programs cannot be taken off it: " + e.getMessage());
            }
        }
    }

    /** Pins again what somebody has unpinned: else it would end with the agent. */
    private void keepPinned() {
        LostPins pins = new LostPins(plan.pinDir());
        maps.keepPinned(pins);
        interfaces.forEach(links -> links.keepPinned(pins));
        pins.log();
        unpinned = pins.problem();
    }

    /**
     * Attaches again what somebody took off, and what belongs on an interface that has come, or come back;
     * pins again what lost its pin.
     *
     * @return whether anything was done
     * @throws DataplaneException if packets come in that are not seen: programs cannot be put back, or no interface is
     *     left
     */
    boolean keepAttached() {
        keepPinned();
        boolean changed = false;
        DataplaneException failure = null;
        for (InterfaceLinks links : interfaces) {
            OptionalInt index = presence.find(links.name());
            if (index.isEmpty() || links.isAttached(index.getAsInt())) {
                continue;
            }
            LOG.log(System.Logger.Level.WARNING, "the programs are not on {0}: attaching", links.name());
            try {
                links.attach(index.getAsInt(), programs);
                links.commit();
                changed = true;
            } catch (DataplaneException e) {
                if (Interfaces.index(links.name()).isPresent()) { // else it has just gone
                    failure = e; // the others all the same
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (presence.none()) {
            throw new DataplaneException(presence.absent().orElseThrow() + ": nothing is forwarded");
        }
        return changed;
    }

    /** The indexes of the interfaces that are there. */
    Set<Integer> indexes() {
        return presence.indexes();
    }

    /** Whether there is one interface and can be no other. */
    boolean isOfOne() {
        return interfaces.size() == 1;
    }

    /** Closes, and leaves everything as it was in the beginning: what was attached is detached. */
    void undo() {
        interfaces.forEach(InterfaceLinks::undo);
        close();
    }

    /** A map of either program, by its name there; it is closed with the attachment. */
    BpfMap map(String name) {
        return maps.map(MapRole.of(name));
    }

    /** Their names, with what is chained, and those that are not there: {@code eth0, eth1; eth9 is missing}. */
    String interfaces() {
        String here = interfaces.stream()
                .filter(links -> !presence.isAbsent(links.name()))
                .map(links -> links.name()
                        + links.chained()
                                .map(program -> " (chained: " + program + ")")
                                .orElse(""))
                .collect(Collectors.joining(", "));
        Stream<String> absent = plan.interfaces().stream()
                .flatMap(name -> presence.absence(name).map(how -> name + " is " + how).stream());
        return Stream.concat(Stream.of(here).filter(text -> !text.isEmpty()), absent)
                .collect(Collectors.joining("; "));
    }

    /** Whether the balancer was found on an interface. */
    boolean adopted() {
        return interfaces.stream().anyMatch(InterfaceLinks::adopted);
    }

    /** How XDP is attached, in the configuration's word; by interface, if that differs. */
    String mode() {
        List<InterfaceLinks> attached =
                interfaces.stream().filter(InterfaceLinks::wasAttached).toList();
        Set<String> modes = attached.stream().map(InterfaceLinks::mode).collect(Collectors.toCollection(TreeSet::new));
        return modes.size() == 1
                ? modes.iterator().next()
                : attached.stream()
                        .map(links -> links.name() + " " + links.mode())
                        .collect(Collectors.joining(", "));
    }

    /** What an operator should know now. */
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        for (InterfaceLinks links : interfaces) {
            links.note().ifPresent(all::add);
            if (presence.isAbsent(links.name()) && links.where() != 0) {
                all.add("the programs of " + links.name() + " are on interface number " + links.where()
                        + ", and stay there: if it is called otherwise now, xdp.interfaces has to say so");
            }
        }
        unpinned.ifPresent(all::add);
        presence.absent().ifPresent(text -> all.add(text + ": nothing comes in there"));
        return List.copyOf(all);
    }

    @Override
    public void close() {
        interfaces.forEach(InterfaceLinks::close);
        maps.close();
        programs.close();
    }
}
