// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.xdp.FlowSeed;
import io.l4lb.agent.dataplane.xdp.Kernel;
import io.l4lb.agent.dataplane.xdp.LostPins;
import io.l4lb.agent.dataplane.xdp.MapRole;
import io.l4lb.agent.dataplane.xdp.PinDirectory;
import io.l4lb.agent.dataplane.xdp.PinnedMaps;
import io.l4lb.agent.dataplane.xdp.Presence;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.hashing.HashSeed;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.ProgramHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The marker with its maps, on its interfaces. All of it is pinned and outlives the agent; what is pinned already is taken
 * over, and its program replaced at once. For one thread.
 */
final class MarkerProgram implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MarkerProgram.class.getName());

    private final Path pinDir;
    private final PinnedMaps maps;
    private final ProgramHandle program;
    private final Presence presence;
    private final List<MarkedInterface> interfaces;
    private final List<String> notes = new ArrayList<>();
    private Optional<String> unpinned = Optional.empty();

    private MarkerProgram(List<String> names, Path pinDir, PinnedMaps maps, ProgramHandle program) {
        this.pinDir = pinDir;
        this.maps = maps;
        this.program = program;
        this.presence = new Presence(names);
        this.interfaces =
                names.stream().map(name -> new MarkedInterface(pinDir, name)).toList();
    }

    /**
     * Loads it. Nothing is attached yet.
     *
     * @throws DataplaneException if the kernel refuses, or what is pinned does not fit
     */
    static MarkerProgram load(List<String> names, Path pinDir, HashSeed seed) {
        PinDirectory.make(pinDir);
        PinnedMaps maps = new PinnedMaps(pinDir);
        try (BpfObject object = BpfObject.open("marker", BpfProgram.MARKER.object())) {
            maps.offer(object, MapRole.ofMarker());
            object.load();
            maps.take(object, MapRole.ofMarker());
            FlowSeed.write(maps.map(MapRole.SETTINGS), seed);
            return new MarkerProgram(List.copyOf(names), pinDir, maps, object.program("marker"));
        } catch (DataplaneException | BpfException e) {
            maps.close();
            throw Kernel.refused(e);
        }
    }

    /**
     * Attaches it to all interfaces that are there, in the place of one that is attached; then pins what is new.
     *
     * @throws DataplaneException if it cannot be put on one of them, or if there is none; all is as it was then
     */
    void attach() {
        try {
            for (MarkedInterface each : interfaces) {
                presence.find(each.name()).ifPresent(index -> each.attach(index, program));
            }
            if (presence.none()) {
                throw new DataplaneException(presence.absent().orElse("no interface is named"));
            }
            maps.commit();
        } catch (DataplaneException | BpfException e) {
            interfaces.forEach(this::undo);
            throw Kernel.refused(e);
        }
        interfaces.forEach(MarkedInterface::commit);
        leaveOthers();
    }

    private void undo(MarkedInterface each) {
        try {
            each.undo();
        } catch (BpfException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "interface {0} is not as it was before: {1}",
                    each.name(),
                    e.getMessage());
        }
    }

    /** Interfaces that an agent was on which had another configuration. */
    private void leaveOthers() {
        Set<String> others = PinnedInterfaces.in(pinDir);
        interfaces.forEach(each -> others.remove(each.name()));
        for (String name : others) {
            String note = "interface " + name + " is not named any more: packets that come in there ";
            try (MarkedInterface left = new MarkedInterface(pinDir, name)) {
                left.release();
                notes.add(note + "are not marked any more");
            } catch (BpfException e) {
                notes.add(note + "are still marked: " + e.getMessage());
            }
        }
    }

    /**
     * Attaches again what somebody took off, and on interfaces that have come, or come back; pins again what lost its pin.
     *
     * @throws DataplaneException if packets come in that are not marked: it cannot be put back, or no interface is left
     */
    void keepAttached() {
        keepPinned();
        DataplaneException failure = null;
        for (MarkedInterface each : interfaces) {
            OptionalInt index = presence.find(each.name());
            if (index.isEmpty() || each.isAttached(index.getAsInt())) {
                continue;
            }
            LOG.log(System.Logger.Level.WARNING, "the marker is not on {0}: attaching", each.name());
            try {
                each.attach(index.getAsInt(), program);
                each.commit();
            } catch (DataplaneException e) {
                if (Interfaces.index(each.name()).isPresent()) { // else it has just gone
                    failure = e; // the others all the same
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (presence.none()) {
            throw new DataplaneException(presence.absent().orElseThrow() + ": nothing is marked");
        }
    }

    private void keepPinned() {
        LostPins pins = new LostPins(pinDir);
        maps.keepPinned(pins);
        interfaces.stream()
                .filter(each -> !presence.isAbsent(each.name()))
                .forEach(each -> each.keepPinned(pins, program));
        pins.log();
        unpinned = pins.problem();
    }

    BpfMap map(MapRole role) {
        return maps.map(role);
    }

    /** Whether it was found on an interface. */
    boolean adopted() {
        return interfaces.stream().anyMatch(MarkedInterface::adopted);
    }

    /** What an operator should know now. */
    List<String> notes() {
        List<String> all = new ArrayList<>(notes);
        unpinned.ifPresent(all::add);
        presence.absent().ifPresent(text -> all.add(text + ": nothing comes in there"));
        return List.copyOf(all);
    }

    @Override
    public void close() {
        interfaces.forEach(MarkedInterface::close);
        program.close();
        maps.close();
    }
}
