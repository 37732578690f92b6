// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.Interfaces;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Which of the interfaces that are configured are there; one that comes or goes is said. For one thread. */
public final class Presence {
    private static final System.Logger LOG = System.getLogger(Presence.class.getName());

    private final List<String> names;
    private final Set<String> seen = new TreeSet<>();
    private final Map<String, String> away = new TreeMap<>();

    public Presence(List<String> names) {
        this.names = names;
    }

    /** Index of one of them, if it is there now. */
    public OptionalInt find(String name) {
        OptionalInt index = Interfaces.index(name);
        if (index.isPresent()) {
            if (away.remove(name) != null) {
                LOG.log(
                        System.Logger.Level.INFO,
                        "interface {0} is {1}",
                        name,
                        seen.contains(name) ? "back" : "here now");
            }
            seen.add(name);
        } else if (away.put(name, seen.contains(name) ? "gone" : "missing") == null && seen.contains(name)) {
            LOG.log(System.Logger.Level.WARNING, "interface {0} is gone", name);
        }
        return index;
    }

    /** Indexes of those that are there now. */
    public Set<Integer> indexes() {
        return names.stream()
                .map(Interfaces::index)
                .flatMapToInt(OptionalInt::stream)
                .boxed()
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether the last look has found none of them. */
    public boolean none() {
        return away.size() == names.size();
    }

    /** Whether the last look has not found it. */
    public boolean isAbsent(String name) {
        return away.containsKey(name);
    }

    /** How the last look has found it: {@code missing}, {@code gone}; empty: it is there. */
    public Optional<String> absence(String name) {
        return Optional.ofNullable(away.get(name));
    }

    /** Those that the last look has not found, in words; empty: it has found all. */
    public Optional<String> absent() {
        Map<String, Set<String>> how = new TreeMap<>();
        away.forEach((name, word) ->
                how.computeIfAbsent(word, unused -> new TreeSet<>()).add(name));
        return how.entrySet().stream()
                .map(each -> words(each.getValue(), each.getKey()))
                .reduce((one, other) -> one + ", " + other);
    }

    private static String words(Set<String> names, String how) {
        return names.size() == 1
                ? "interface " + names.iterator().next() + " is " + how
                : "interfaces " + String.join(", ", names) + " are " + how;
    }
}
