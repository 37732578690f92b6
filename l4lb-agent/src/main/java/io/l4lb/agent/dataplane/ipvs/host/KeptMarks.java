// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.control.Json;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which mark stands for which way to a real, so that it does so over an agent's restart too: connections and probes that are
 * under way have it. One file; that of another boot or network namespace does not count. For the reconcile thread alone.
 */
public final class KeptMarks {
    private static final int VERSION = 1;

    private final Path file;
    private final Incarnation incarnation;
    /** What is in the file, if that is known. */
    private Optional<Map<Integer, ProbePath>> written = Optional.empty();

    private List<String> notes = List.of();

    /** As JSON. */
    private record Document(int version, String boot, String namespace, List<Row> marks) {}

    private record Row(int mark, String real, String forwarding) {}

    /** @param stateDirectory the agent's; the file is {@code marks/marks.json} in it */
    public KeptMarks(Path stateDirectory, Incarnation incarnation) {
        this.file = WholeFile.directory(stateDirectory.resolve("marks")).resolve("marks.json");
        this.incarnation = incarnation;
    }

    /** What was kept; empty if nothing was, or if the file is broken, which {@link #notes} says. */
    public Map<Integer, ProbePath> marks() {
        notes = List.of();
        written = Optional.empty();
        if (!Files.exists(file)) {
            return Map.of();
        }
        try {
            Map<Integer, ProbePath> marks = read();
            written = Optional.of(marks);
            return marks;
        } catch (IOException e) {
            notes = List.of(file + " " + e.getMessage() + ": all marks are given anew");
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

    /** What was wrong with the file when {@link #marks} read it. */
    public List<String> notes() {
        return notes;
    }

    /**
     * To be called before the marks are used. Costs nothing if nothing changes.
     *
     * @throws DataplaneException it cannot be written (a full disk); what was kept before still is
     */
    public void saveMarks(Map<Integer, ProbePath> marks) {
        if (written.filter(marks::equals).isPresent()) {
            return;
        }
        List<Row> rows = marks.entrySet().stream()
                .map(each -> new Row(
                        each.getKey(),
                        IpText.of(each.getValue().real()),
                        each.getValue().forwarding().key()))
                .toList();
        WholeFile.write(file, Json.bytes(new Document(VERSION, incarnation.boot(), incarnation.namespace(), rows)));
        written = Optional.of(Map.copyOf(marks));
    }
}
