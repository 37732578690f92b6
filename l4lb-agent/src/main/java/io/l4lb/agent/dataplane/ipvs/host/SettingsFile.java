// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.control.Json;
import io.l4lb.agent.dataplane.DataplaneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What settings were before the agent touched them, over its restarts. One of another boot, or network namespace, has
 * nothing to say any more.
 */
final class SettingsFile {
    private static final int VERSION = 1;

    private final Path file;
    private final Incarnation incarnation;
    private final Map<String, Change> changes = new LinkedHashMap<>();

    /**
     * A setting that was changed.
     *
     * @param before the value when the agent changed it for the first time
     * @param after the one that it was given last
     */
    record Change(String path, String before, String after) {
        Change {
            Objects.requireNonNull(path);
            Objects.requireNonNull(before);
            Objects.requireNonNull(after);
        }
    }

    /** As JSON. */
    private record Document(int version, String boot, String namespace, List<Change> settings) {}

    SettingsFile(Path stateDirectory, Incarnation incarnation) {
        this.file = WholeFile.directory(stateDirectory).resolve("ipvs-settings.json");
        this.incarnation = incarnation;
    }

    /**
     * Reads what was recorded.
     *
     * @return why the file cannot be used, in words; empty if it can, or if there is none
     */
    String load() {
        changes.clear();
        if (!Files.exists(file)) {
            return "";
        }
        try {
            Document document = WholeFile.read(file, Document.class);
            if (document.version != VERSION) {
                throw new IOException("is of version " + document.version + ", this agent knows " + VERSION);
            }
            if (incarnation.equals(new Incarnation(document.boot, document.namespace))) {
                Objects.requireNonNull(document.settings).forEach(change -> changes.put(change.path(), change));
            }
            return "";
        } catch (IOException e) {
            return file + " " + e.getMessage() + ": it is not known any more what settings were before";
        } catch (NullPointerException e) {
            return file + " is not what the agent writes: it is not known any more what settings were before";
        }
    }

    List<Change> changes() {
        return List.copyOf(changes.values());
    }

    /**
     * To be called before the settings are changed; the first value before counts.
     *
     * @throws DataplaneException it cannot be written; what was recorded before still is
     */
    void record(List<Change> fresh) {
        Map<String, Change> all = new LinkedHashMap<>(changes);
        for (Change change : fresh) {
            all.merge(change.path(), change, (first, last) -> new Change(first.path(), first.before(), last.after()));
        }
        if (!all.equals(changes)) {
            replace(new ArrayList<>(all.values()));
        }
    }

    /** To have only these in it; none: no file. */
    void replace(List<Change> all) {
        if (all.isEmpty()) {
            WholeFile.delete(file);
        } else {
            Document document = new Document(VERSION, incarnation.boot(), incarnation.namespace(), all);
            WholeFile.write(file, Json.bytes(document));
        }
        changes.clear();
        all.forEach(change -> changes.put(change.path(), change));
    }
}
