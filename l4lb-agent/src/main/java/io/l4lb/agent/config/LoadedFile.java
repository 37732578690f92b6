// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A file as far as it could be read.
 *
 * @param problems to which conflicts with other files may still be added
 */
record LoadedFile(Problems problems, List<ServiceDraft> services) {
    /** Reads a file of {@code services-dir}. */
    static LoadedFile services(Path file) {
        Problems problems = new Problems(file);
        Optional<Table> root = TomlFile.read(file, problems);
        List<ServiceDraft> services = root.map(LoadedFile::services).orElse(List.of());
        root.ifPresent(table -> {
            for (String key : MainFile.SECTIONS) {
                if (table.has(key)) {
                    table.problem(key, "belongs into the main file; this one can hold only [[services]]");
                }
            }
            // An editor or a full disk empties files; whoever wants the services gone deletes theirs.
            if (table.finish() && services.isEmpty()) {
                problems.add("defines no service; delete the file to remove its services");
            }
        });
        return new LoadedFile(problems, services);
    }

    static List<ServiceDraft> services(Table root) {
        return root.tables("services").stream().map(ServiceReader::read).toList();
    }

    Path file() {
        return problems.file();
    }

    boolean broken() {
        return problems.count() > 0;
    }
}
