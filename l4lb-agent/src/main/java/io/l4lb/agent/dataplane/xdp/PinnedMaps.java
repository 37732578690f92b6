// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.MapLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The maps in use: those that are pinned and fit, and new ones in the place of the others. The new ones get the pins only
 * by {@link #commit}, each at once; until then, and if it never comes, everything pinned is as it was.
 *
 * <p>Settings are always new, so that the program that runs goes on with its own until another takes its place.
 */
public final class PinnedMaps implements AutoCloseable {
    /** At the end of a pin that is to take another's place. */
    public static final String NEW = "_new";

    private final Path directory;
    private final Map<MapRole, BpfMap> maps = new EnumMap<>(MapRole.class);
    private final Map<MapRole, BpfMap> replaced = new EnumMap<>(MapRole.class);
    private final List<MapRole> unpinned = new ArrayList<>();
    private final Map<MapRole, KeptPin> kept = new EnumMap<>(MapRole.class);

    public PinnedMaps(Path directory) {
        this.directory = directory;
    }

    /**
     * Before the object is loaded: gives it what is pinned and fits.
     *
     * @throws DataplaneException if a map does not fit that cannot be replaced
     */
    public void offer(BpfObject object, List<MapRole> roles) {
        for (MapRole role : roles) {
            BpfMap pinned = BpfMap.openPinned(pin(role)).orElse(null);
            if (pinned == null) {
                continue;
            }
            MapLayout wanted = object.layout(role.map());
            if (role != MapRole.SETTINGS && pinned.layout().equals(wanted)) {
                maps.put(role, pinned);
                object.reuse(role.map(), pinned);
                continue;
            }
            replaced.put(role, pinned);
            if (role.otherwise() == MapRole.Otherwise.REFUSED) {
                throw new DataplaneException("the map " + pin(role) + " is of another version of l4lb: it has "
                        + pinned.layout() + "; this version wants " + wanted
                        + ". Run that version, or remove the pins in " + directory + ", which ends forwarding");
            }
        }
    }

    /** After the object was loaded: takes what is new of it. */
    public void take(BpfObject object, List<MapRole> roles) {
        for (MapRole role : roles) {
            if (!maps.containsKey(role)) {
                maps.put(role, object.map(role.map()));
                unpinned.add(role);
            }
        }
    }

    /** Before another object of the same program is loaded: gives it the maps in use. */
    void share(BpfObject object) {
        MapRole.ofBalancer().forEach(role -> object.reuse(role.map(), map(role)));
    }

    public BpfMap map(MapRole role) {
        BpfMap map = maps.get(role);
        if (map == null) {
            throw new IllegalStateException("map " + role.map() + " is not loaded");
        }
        return map;
    }

    /** What is pinned, but not used. */
    Optional<BpfMap> replaced(MapRole role) {
        return Optional.ofNullable(replaced.get(role));
    }

    /** Pins what is new, in the place of what it replaces. */
    public void commit() {
        List<Path> made = new ArrayList<>();
        try {
            for (MapRole role : unpinned) {
                Path pin = Path.of(pin(role) + NEW);
                BpfMap.unpin(pin); // an agent may have died here
                map(role).pin(pin);
                made.add(pin);
            }
            for (MapRole role : unpinned) {
                Files.move(Path.of(pin(role) + NEW), pin(role), StandardCopyOption.ATOMIC_MOVE);
            }
        } catch (IOException e) {
            made.forEach(BpfMap::unpin);
            throw new DataplaneException("cannot pin maps in " + directory + ": " + FileProblem.words(e), e);
        } catch (RuntimeException e) {
            made.forEach(BpfMap::unpin);
            throw e;
        }
        unpinned.clear();
        replaced.values().forEach(BpfMap::close);
        replaced.clear();
        for (MapRole role : maps.keySet()) {
            kept.computeIfAbsent(role, unused -> new KeptPin(pin(role))).seen();
        }
    }

    /** After {@link #commit}: pins again what has lost its pin. */
    public void keepPinned(LostPins pins) {
        kept.forEach((role, pin) -> pins.look(pin, map(role)::pin));
    }

    private Path pin(MapRole role) {
        return directory.resolve(role.map());
    }

    @Override
    public void close() {
        maps.values().forEach(BpfMap::close);
        replaced.values().forEach(BpfMap::close);
    }
}
