// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.AgentSection;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The directory of files with more services. */
final class ServicesDirectory {
    private ServicesDirectory() {}

    /**
     * Reads all its files in alphabetical order. The default directory may be absent, unless services of it are running;
     * one that was asked for may not: it may be about to be mounted.
     *
     * @param running whether the last good configuration has services of it
     */
    static List<LoadedFile> read(Path directory, boolean running) {
        if (Files.notExists(directory)) {
            return directory.equals(AgentSection.DEFAULT_SERVICES_DIR) && !running
                    ? List.of()
                    : broken(directory, "does not exist");
        }
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, ServicesDirectory::counts)) {
            entries.forEach(files::add);
        } catch (NotDirectoryException e) {
            return broken(directory, "is not a directory");
        } catch (IOException | DirectoryIteratorException e) {
            return broken(
                    directory, "cannot be listed" + (e instanceof AccessDeniedException ? ": permission denied" : ""));
        }
        files.sort(Comparator.comparing(file -> file.getFileName().toString()));
        return files.stream().map(LoadedFile::services).toList();
    }

    private static List<LoadedFile> broken(Path directory, String message) {
        Problems problems = new Problems(directory);
        problems.add(message);
        return List.of(new LoadedFile(problems, List.of()));
    }

    /** A link to nothing counts: to skip it would take its services down without a word. */
    private static boolean counts(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".toml") && !name.startsWith(".") && (Files.isRegularFile(file) || Files.notExists(file));
    }
}
