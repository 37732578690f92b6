// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.control.Json;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpText;
import io.l4lb.netlink.AddressFamily;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which mark stands for which way to a real, so that it does so over an agent's restart too: connections and probes that are
 * under way have it. One file; that of another boot or network namespace does not count. For the reconcile thread alone.
 */
public final class KeptMarks {
    private static final int VERSION = 1;

    private final Path file;
    private final Incarnation incarnation;
    /** What is in the file, if that is known. */
    private Optional<Document> written = Optional.empty();

    private Map<AddressFamily, Set<Integer>> services = Map.of();

    private Optional<String> broken = Optional.empty();

    /** As JSON. The last two are the marks with a service of ours in that family. */
    private record Document(
            int version, String boot, String namespace, List<Row> marks, Set<Integer> ipv4, Set<Integer> ipv6) {}

    private record Row(int mark, String real, String forwarding) {}

    /** @param stateDirectory the agent's; the file is {@code marks/marks.json} in it */
    public KeptMarks(Path stateDirectory, Incarnation incarnation) {
        this.file = WholeFile.directory(stateDirectory.resolve("marks")).resolve("marks.json");
        this.incarnation = incarnation;
    }

    /** What was kept; empty if nothing was, or if the file is broken, which {@link #notes} says. */
    public Map<Integer, ProbePath> marks() {
        broken = Optional.empty();
        written = Optional.empty();
        services = Map.of();
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            return read();
        } catch (IOException e) {
            broken = Optional.of(file + " " + e.getMessage());
            return Map.of();
        }
    }

    private Map<Integer, ProbePath> read() throws IOException {
        Document document = WholeFile.read(file, Document.class);
        if (document.version != VERSION) {
            throw new IOException("is of version " + document.version + ", this agent knows " + VERSION);
        }
        Map<Integer, ProbePath> marks = new LinkedHashMap<>();
        try {
            if (!incarnation.equals(new Incarnation(document.boot, document.namespace))) {
                return marks;
            }
            for (Row row : document.marks) {
                // One that this agent has not is no way to a real any more, and its mark is free.
                forwarding(row.forwarding)
                        .ifPresent(way -> marks.put(row.mark, new ProbePath(AddressText.parse(row.real), way)));
            }
            services = Map.of(
                    AddressFamily.INET, Set.copyOf(document.ipv4), AddressFamily.INET6, Set.copyOf(document.ipv6));
            written = Optional.of(document);
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("is not what the agent writes", e);
        }
        return Collections.unmodifiableMap(marks);
    }

    private static Optional<Forwarding> forwarding(String key) {
        return Arrays.stream(Forwarding.values())
                .filter(each -> each.key().equals(key))
                .findFirst();
    }

    /**
     * In which families IPVS has a service of ours at which marks, or was about to, when {@link #marks} read the file. One at
     * another mark is somebody else's, though the mark be in the file.
     */
    public Map<AddressFamily, Set<Integer>> services() {
        return services;
    }

    /** What was wrong with the file when {@link #marks} read it. */
    public List<String> notes() {
        return broken.map(words -> List.of(words + ": all marks are given anew"))
                .orElse(List.of());
    }

    /** Why the file could not be used when {@link #marks} read it; empty: it could, or there is none. */
    public Optional<String> broken() {
        return broken;
    }

    /**
     * To be called before the marks are used, and before services are made. Costs little if nothing changes.
     *
     * @param ours by family, the marks with services that are ours
     * @throws DataplaneException it cannot be written (a full disk); what was kept before still is
     */
    public void saveMarks(Map<Integer, ProbePath> marks, Map<AddressFamily, Set<Integer>> ours) {
        List<Row> rows = marks.entrySet().stream()
                .map(each -> new Row(
                        each.getKey(),
                        IpText.of(each.getValue().real()),
                        each.getValue().forwarding().key()))
                .toList();
        Document document = new Document(
                VERSION,
                incarnation.boot(),
                incarnation.namespace(),
                rows,
                new TreeSet<>(ours.getOrDefault(AddressFamily.INET, Set.of())),
                new TreeSet<>(ours.getOrDefault(AddressFamily.INET6, Set.of())));
        if (written.filter(document::equals).isPresent()) {
            return;
        }
        WholeFile.write(file, Json.bytes(document));
        written = Optional.of(document);
    }
}
