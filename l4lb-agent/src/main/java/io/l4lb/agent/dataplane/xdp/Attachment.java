// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.XdpMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The balancer and the probe program on one interface: their objects, pins and links. Everything is pinned, so that it
 * outlives the agent; what is already pinned is taken over: maps are kept, and the programs of links are replaced at
 * once while packets flow. What fails leaves everything pinned as it was.
 *
 * <p>Maps that an earlier version pinned are taken over too, as the layouts of their keys and values are the same: a
 * service that has no hash key yet has the 5-tuple. A map that version did not have is made and pinned, empty. Its map
 * of verdicts, which had room for its own alone, is replaced: counters of verdicts start from zero then.
 */
final class Attachment implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Attachment.class.getName());
    private static final List<String> BALANCER_MAPS = List.of(
            "vip_filter",
            "vips",
            "services",
            "tables",
            "reals",
            "server_ids",
            "flows",
            "fragments",
            "settings",
            "real_counters",
            "verdicts",
            "service_verdicts",
            "events",
            "new_flows",
            "captures",
            "chain");
    private static final List<String> PROBE_MAPS = List.of("probes");

    private final BpfObject balancer;
    private final BpfObject probe;
    private final Set<String> notes = new LinkedHashSet<>();
    private final List<Link> links = new ArrayList<>();
    private final List<Path> newPins = new ArrayList<>();
    private final Map<Path, BpfMap> replaced = new HashMap<>();
    private final Map<String, BpfMap> maps = new HashMap<>();
    private Set<Integer> ours = Set.of();
    private String mode = "";
    private boolean adopted;

    private Attachment(BpfObject balancer, BpfObject probe) {
        this.balancer = balancer;
        this.probe = probe;
    }

    /**
     * Loads the programs with their maps; nothing is attached yet, so that the maps can be filled first.
     *
     * @throws DataplaneException if the kernel refuses, or what is pinned does not fit
     */
    static Attachment load(XdpSection xdp) {
        try {
            Files.createDirectories(xdp.pinDir());
        } catch (IOException e) {
            throw new DataplaneException("cannot make " + xdp.pinDir() + " (is a bpffs mounted there?): " + e, e);
        }
        Attachment attachment = new Attachment(
                BpfObject.open("balancer", BpfProgram.BALANCER.object()),
                BpfObject.open("probe", BpfProgram.PROBE.object()));
        try {
            attachment.balancer.maxEntries("flows", flowTableSize(xdp, attachment.notes));
            attachment.replaceVerdicts(xdp.pinDir().resolve("verdicts"));
            attachment.load(attachment.balancer, BALANCER_MAPS, xdp.pinDir());
            attachment.load(attachment.probe, PROBE_MAPS, xdp.pinDir());
            return attachment;
        } catch (BpfException e) {
            attachment.undo();
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    private void load(BpfObject object, List<String> names, Path pinDirectory) {
        List<Path> pins = names.stream().map(pinDirectory::resolve).toList();
        List<Path> missing = pins.stream().filter(pin -> !Files.exists(pin)).toList();
        for (int i = 0; i < pins.size(); i++) {
            object.pinPath(names.get(i), pins.get(i));
        }
        object.load();
        newPins.addAll(missing);
    }

    /** Takes the pin from a map of verdicts of another size; until it is attached anew, the old program counts there. */
    private void replaceVerdicts(Path pin) {
        BpfMap.openPinned(pin).ifPresent(pinned -> {
            if (pinned.maxEntries() == Verdicts.CAPACITY) {
                pinned.close();
                return;
            }
            replaced.put(pin, pinned);
            BpfMap.unpin(pin);
            notes.add(
                    "packets by verdict are counted from zero: the map of the version before had no room for new ones");
        });
    }

    /** A flow table that is there keeps its size, since its flows are worth more than the new size. */
    private static int flowTableSize(XdpSection xdp, Set<String> notes) {
        try (BpfMap pinned = BpfMap.openPinned(xdp.pinDir().resolve("flows")).orElse(null)) {
            if (pinned == null || pinned.maxEntries() == xdp.flowTableSize()) {
                return xdp.flowTableSize();
            }
            notes.add("flow-table-size stays " + pinned.maxEntries() + ": the flow table that is there is kept");
            return pinned.maxEntries();
        }
    }

    /** Whether the links of both programs hold our programs on the interface. */
    boolean isAttached(int interfaceIndex) {
        return links.size() == 2
                && links.stream().allMatch(link -> link.ifindex() == interfaceIndex && ours.contains(link.programId()));
    }

    /** Attaches both programs, or puts them in the place of those that are attached. */
    void attach(XdpSection xdp, int interfaceIndex) {
        links.forEach(Link::close);
        links.clear();
        try (ProgramHandle tunnel = probe.program("probe");
                ProgramHandle program = balancer.program("balancer")) {
            ours = Set.of(tunnel.id(), program.id());
            hold(pin(xdp, "probe"), interfaceIndex, tunnel, () -> Links.attachTcxEgress(tunnel, interfaceIndex));
            XdpMode wanted = XdpMode.valueOf(xdp.mode().name());
            boolean found = hold(pin(xdp, "balancer"), interfaceIndex, program, () -> Links.attachXdp(
                            program, interfaceIndex, wanted)
                    .link());
            if (mode.isEmpty()) {
                adopted = found;
            }
            noteMode(wanted, interfaceIndex);
        } catch (BpfException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    private void noteMode(XdpMode wanted, int interfaceIndex) {
        XdpMode actual = Links.attachedXdp(interfaceIndex)
                .orElseThrow(() -> new DataplaneException("the XDP program is not on the interface"))
                .mode();
        mode = actual.name().toLowerCase(Locale.ROOT);
        if (wanted != XdpMode.AUTO && actual != wanted) {
            notes.add("XDP mode stays " + mode + ": the program that is attached is replaced, its link is kept");
        } else if (actual == XdpMode.GENERIC && wanted == XdpMode.AUTO) {
            notes.add("XDP runs in generic mode, which is slow: "
                    + (adopted ? "it was attached so" : "the driver has no native XDP"));
        }
    }

    /** Where the link of a program on this interface is pinned; pins take no dots. */
    private static Path pin(XdpSection xdp, String program) {
        return xdp.pinDir()
                .resolve("link_" + program + "_" + xdp.interfaceName().replace('.', '_'));
    }

    /** Attaches a program unless its link is there; returns whether it was. */
    private boolean hold(Path pin, int interfaceIndex, ProgramHandle program, Supplier<Link> attach) {
        Optional<Link> pinned = Link.openPinned(pin);
        if (pinned.isPresent()) {
            if (pinned.get().ifindex() == interfaceIndex) {
                links.add(pinned.get());
                pinned.get().update(program);
                return true;
            }
            LOG.log(System.Logger.Level.WARNING, "{0} is of an interface that is gone: attaching anew", pin);
            pinned.get().close();
            Link.unpin(pin);
        }
        Link link = attach.get();
        links.add(link);
        link.pin(pin);
        newPins.add(pin);
        return false;
    }

    /** Closes, and pins what was pinned in the beginning and nothing else: what it attached is detached. */
    void undo() {
        newPins.forEach(Link::unpin);
        replaced.forEach((pin, map) -> map.pin(pin));
        close();
    }

    /** A map of either program; it is closed with the attachment. */
    BpfMap map(String name) {
        return maps.computeIfAbsent(name, unused -> PROBE_MAPS.contains(name) ? probe.map(name) : balancer.map(name));
    }

    /** Whether the balancer was found on the interface. */
    boolean adopted() {
        return adopted;
    }

    /** How XDP is attached, in the configuration's word. */
    String mode() {
        return mode;
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    @Override
    public void close() {
        replaced.values().forEach(BpfMap::close);
        maps.values().forEach(BpfMap::close);
        links.forEach(Link::close);
        probe.close();
        balancer.close();
    }
}
