// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ipvs.host.KeptMarks;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.netlink.AddressFamily;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Which marks stand for which way, and which services of IPVS at them are ours: those alone that are noted, in the file too,
 * before they are made. For the reconcile thread alone.
 */
final class OwnedMarks {
    private static final System.Logger LOG = System.getLogger(OwnedMarks.class.getName());

    /** How many services the log names at once. */
    private static final int TOLD = 8;

    private final KeptMarks file;
    /** By the mark of probes, those that drain included. */
    private final Map<Integer, ProbePath> ways;
    /** Those that are about to be made included. */
    private final Set<FirewallMark> ours = new HashSet<>();

    private Set<FirewallMark> foreign = Set.of();
    /** Those of somebody else of which the log has told. */
    private final Set<FirewallMark> told = new HashSet<>();

    OwnedMarks(KeptMarks file) {
        this.file = file;
        this.ways = new LinkedHashMap<>(file.marks());
        file.services()
                .forEach((family, numbers) -> numbers.forEach(number -> ours.add(new FirewallMark(number, family))));
    }

    /** Takes over what an agent has left that lost its state; of two marks of one way, one will drain. */
    void adopt(Map<FirewallMark, ProbePath> lost) {
        if (lost.isEmpty()) {
            return;
        }
        ours.addAll(lost.keySet());
        lost.forEach((mark, path) -> ways.put(LostMarks.ofProbes(mark.mark()), path));
        LOG.log(
                System.Logger.Level.INFO,
                "IPVS has services by mark that are exactly as ours, as after a lost state-dir: taken over: {0}",
                named(lost.keySet()));
    }

    /** By the mark of probes. */
    Map<Integer, ProbePath> ways() {
        return Map.copyOf(ways);
    }

    /** The way of a mark, of probes or of packets. */
    Optional<ProbePath> path(int mark) {
        return Optional.ofNullable(ways.get(mark)).or(() -> Optional.ofNullable(ways.get(mark - ofPackets())));
    }

    private static int ofPackets() {
        return MarkServices.ofPackets(0);
    }

    boolean has(FirewallMark service) {
        return ours.contains(service);
    }

    /** Marks that are used from now on. */
    void add(Map<Integer, ProbePath> more) {
        ways.putAll(more);
        save();
    }

    /**
     * Services that are about to be made.
     *
     * @return those that were not ours before
     */
    Set<FirewallMark> claim(Collection<FirewallMark> services) {
        Set<FirewallMark> claimed = new HashSet<>(services);
        claimed.removeAll(ours);
        if (ours.addAll(claimed)) {
            save();
        }
        return claimed;
    }

    /** Services that could not be made. */
    void release(Collection<FirewallMark> services) {
        if (ours.removeAll(Set.copyOf(services))) {
            save();
        }
    }

    /**
     * Forgets all others.
     *
     * @param marks of probes
     */
    void retain(Set<Integer> marks, Predicate<FirewallMark> services) {
        boolean less = ways.keySet().retainAll(marks);
        less |= ours.removeIf(services.negate());
        if (less) {
            save();
        }
    }

    private void save() {
        Map<AddressFamily, Set<Integer>> numbers = new EnumMap<>(AddressFamily.class);
        ours.forEach(mark -> numbers.computeIfAbsent(mark.family(), unused -> new HashSet<>())
                .add(mark.mark()));
        file.saveMarks(ways, numbers);
    }

    /** These are somebody else's, and no others. */
    void setForeign(Set<FirewallMark> services) {
        foreign = Set.copyOf(services);
    }

    Set<FirewallMark> foreign() {
        return foreign;
    }

    /** The marks that probes must not have, since theirs or that of their packets has a service of somebody else. */
    Set<Integer> avoided() {
        Set<Integer> numbers = new HashSet<>();
        Set<FirewallMark> news = new HashSet<>();
        for (FirewallMark mark : foreign) {
            numbers.add(mark.mark());
            numbers.add(mark.mark() - ofPackets());
            if (LostMarks.inRange(mark.mark()) && told.add(mark)) {
                news.add(mark);
            }
        }
        told.retainAll(foreign);
        if (!news.isEmpty()) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "IPVS has services that are not ours: they are left alone, and probes get other marks: {0}",
                    named(news));
        }
        return numbers;
    }

    private static String named(Set<FirewallMark> marks) {
        String first =
                marks.stream().map(FirewallMark::toString).sorted().limit(TOLD).collect(Collectors.joining(", "));
        return marks.size() > TOLD ? first + ", and " + (marks.size() - TOLD) + " more" : first;
    }
}
