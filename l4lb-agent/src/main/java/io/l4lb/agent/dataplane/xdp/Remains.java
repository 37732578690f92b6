// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.file.FileProblem;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.KeptNeighbor;
import io.l4lb.netlink.route.Link;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What agents that have ended have left in the kernel: programs on interfaces, pinned maps, neighbours that it keeps. It is
 * found without loading anything. For a process that holds the agent's lock.
 */
public final class Remains {
    private final XdpSection xdp;
    private final Consumer<String> told;

    /** @param told what is there, one thing after the other, each before it is taken away */
    public Remains(XdpSection xdp, Consumer<String> told) {
        this.xdp = xdp;
        this.told = told;
    }

    /** Tells only. */
    public void list() {
        guarded(() -> {
            interfaces().forEach(remains -> remains.list().forEach(told));
            tellMaps();
            try (RouteTable routes = RouteTable.open()) {
                routes.kept().forEach(kept -> told.accept(words(routes, kept)));
            }
        });
    }

    /**
     * Takes it away, which ends forwarding, and puts back what was on the interfaces before.
     *
     * @throws DataplaneException the kernel refuses; what had been taken away till then was told
     */
    public void release() {
        guarded(() -> {
            for (InterfaceRemains remains : interfaces()) {
                List<String> things = remains.list();
                if (!things.isEmpty()) {
                    remains.release();
                    things.forEach(told);
                }
            }
            tellMaps();
            maps().forEach(BpfMap::unpin);
            removeDirectory();
            try (RouteTable routes = RouteTable.open()) {
                for (KeptNeighbor kept : routes.kept()) {
                    routes.release(kept);
                    told.accept(words(routes, kept));
                }
            }
        });
    }

    private List<InterfaceRemains> interfaces() {
        Set<String> names = new TreeSet<>(xdp.placement().interfaces());
        if (Files.isDirectory(xdp.pinDir())) {
            names.addAll(LeftInterfaces.pinned(xdp.pinDir()));
        }
        return names.stream()
                .map(name -> new InterfaceRemains(xdp.pinDir(), name))
                .toList();
    }

    private List<Path> maps() {
        return MapRole.ofXdp().stream()
                .flatMap(role -> Stream.of(role.map(), role.map() + PinnedMaps.NEW))
                .map(name -> xdp.pinDir().resolve(name))
                .filter(Files::exists)
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    private void tellMaps() {
        int number = maps().size();
        if (number > 0) {
            told.accept(number + (number == 1 ? " map" : " maps") + " pinned in " + xdp.pinDir()
                    + ", with all flows and counters");
        }
    }

    private void removeDirectory() {
        try {
            Files.delete(xdp.pinDir());
        } catch (NoSuchFileException | DirectoryNotEmptyException e) {
            return; // what is in it is somebody else's
        } catch (IOException e) {
            throw new DataplaneException("cannot remove " + xdp.pinDir() + ": " + FileProblem.words(e), e);
        }
    }

    private static String words(RouteTable routes, KeptNeighbor kept) {
        String where = routes.link(kept.interfaceIndex()).map(Link::name).orElse("interface " + kept.interfaceIndex());
        return "the mark by which the kernel keeps neighbour " + IpText.of(kept.address()) + " on " + where;
    }

    private static void guarded(Runnable call) {
        try {
            call.run();
        } catch (BpfException | NetlinkException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }
}
