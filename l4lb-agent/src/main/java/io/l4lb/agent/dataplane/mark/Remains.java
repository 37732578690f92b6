// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.xdp.MapRole;
import io.l4lb.agent.dataplane.xdp.PinnedMaps;
import io.l4lb.agent.file.FileProblem;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What agents that have ended have left in the kernel of their markers. It is found without loading anything. For a process
 * that holds the agent's lock.
 */
public final class Remains {
    private final List<String> interfaces;
    private final Path pinDir;
    private final Consumer<String> told;

    /**
     * Remains.
     *
     * @param interfaces that are configured; others are known by their pins
     * @param told what is there, one thing after the other, each before it is taken away
     */
    public Remains(List<String> interfaces, Path pinDir, Consumer<String> told) {
        this.interfaces = List.copyOf(interfaces);
        this.pinDir = pinDir;
        this.told = told;
    }

    /** Tells only. */
    public void list() {
        guarded(() -> visit(each -> {}));
    }

    /**
     * Takes it away: packets are not marked any more.
     *
     * @throws DataplaneException the kernel refuses; what had been taken away till then was told
     */
    public void release() {
        guarded(() -> {
            visit(MarkedInterface::release);
            maps().forEach(BpfMap::unpin);
            removeDirectory();
        });
    }

    private void visit(Consumer<MarkedInterface> visitor) {
        Set<String> names = new TreeSet<>(interfaces);
        names.addAll(PinnedInterfaces.in(pinDir));
        for (String name : names) {
            try (MarkedInterface each = new MarkedInterface(pinDir, name)) {
                if (each.isThere()) {
                    visitor.accept(each);
                    told.accept("the marker on " + name);
                }
            }
        }
        int number = maps().size();
        if (number > 0) {
            told.accept(number + (number == 1 ? " map" : " maps") + " of the marker, pinned in " + pinDir);
        }
    }

    private List<Path> maps() {
        return MapRole.ofMarker().stream()
                .flatMap(role -> Stream.of(role.map(), role.map() + PinnedMaps.NEW))
                .map(pinDir::resolve)
                .filter(Files::exists)
                .toList();
    }

    private void removeDirectory() {
        try {
            Files.delete(pinDir);
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            return; // what is in it is somebody else's
        } catch (IOException e) {
            throw new DataplaneException("cannot remove " + pinDir + ": " + FileProblem.words(e), e);
        }
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (BpfException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }
}
