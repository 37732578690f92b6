// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Service;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Decides for each file whether its new or its last good services hold, so that no two services are in conflict.
 *
 * <p>Of two new files the later one is to blame. A file whose last good services are in the way of a newer file's holds
 * its ground: what runs is not stopped by the edit of another file.
 */
final class Settlement {
    private final List<LoadedFile> files;
    private final Optional<Config> lastGood;

    /**
     * @param files in their order, of which the first is the main file
     * @param lastGood what broken files fall back on
     */
    Settlement(List<LoadedFile> files, Optional<Config> lastGood) {
        this.files = List.copyOf(files);
        this.lastGood = lastGood;
    }

    /** Reports conflicts to the files that are to blame, and says which services hold, in the order of files. */
    List<ServiceDraft> settle() {
        files.forEach(Settlement::reportWithin);
        reportAcross();
        Set<Path> old = new HashSet<>();
        files.stream().filter(LoadedFile::broken).map(LoadedFile::file).forEach(old::add);
        while (!old.contains(files.get(0).file())) {
            List<ServiceDraft> services = services(old);
            List<Conflict> conflicts = Conflicts.find(services);
            Optional<LoadedFile> refused = firstToBlame(conflicts, old);
            if (refused.isEmpty()) {
                Optional<LoadedFile> full = refuseTooMany(services, old);
                if (full.isEmpty()) {
                    return services;
                }
                old.add(full.get().file());
                continue;
            }
            LoadedFile file = refused.get();
            conflicts.stream()
                    .filter(conflict -> toBlame(conflict, old).file().equals(file.file()))
                    .forEach(conflict -> conflict.blame(toBlame(conflict, old), file.problems()));
            old.add(file.file());
        }
        return List.of();
    }

    /** Of the files that are new, the one with the real too many is to blame, else the last: what runs has been fine. */
    private Optional<LoadedFile> refuseTooMany(List<ServiceDraft> services, Set<Path> old) {
        Optional<TooManyWays> tooMany = TooManyWays.find(services);
        if (tooMany.isEmpty()) {
            return Optional.empty();
        }
        Path culprit = tooMany.get().service().origin().file();
        List<LoadedFile> fresh =
                files.stream().filter(file -> !old.contains(file.file())).toList();
        LoadedFile blamed = fresh.stream()
                .filter(file -> file.file().equals(culprit))
                .findFirst()
                .orElseGet(() -> fresh.get(fresh.size() - 1));
        tooMany.get().blame(blamed);
        return Optional.of(blamed);
    }

    private static void reportWithin(LoadedFile file) {
        Conflicts.find(file.services()).forEach(conflict -> conflict.blame(conflict.later(), file.problems()));
    }

    /** Reports what broken files are in conflict with; with a broken main file, what any file is. */
    private void reportAcross() {
        LoadedFile main = files.get(0);
        List<ServiceDraft> earlier = new ArrayList<>(main.services());
        for (LoadedFile file : files.subList(1, files.size())) {
            if (file.broken() || main.broken()) {
                List<ServiceDraft> both = Stream.concat(earlier.stream(), file.services().stream())
                        .toList();
                Conflicts.find(both).stream()
                        .filter(conflict -> !conflict.withinFile()
                                && conflict.later().file().equals(file.file()))
                        .forEach(conflict -> conflict.blame(conflict.later(), file.problems()));
            }
            if (!file.broken()) {
                earlier.addAll(file.services());
            }
        }
    }

    private Optional<LoadedFile> firstToBlame(List<Conflict> conflicts, Set<Path> old) {
        Set<Path> blamed = new HashSet<>();
        conflicts.forEach(conflict -> blamed.add(toBlame(conflict, old).file()));
        return files.stream()
                .filter(file -> blamed.contains(file.file()) && !old.contains(file.file()))
                .findFirst();
    }

    private static Conflict.Side toBlame(Conflict conflict, Set<Path> old) {
        return old.contains(conflict.later().file()) ? conflict.earlier() : conflict.later();
    }

    private List<ServiceDraft> services(Set<Path> old) {
        return files.stream()
                .flatMap(file -> old.contains(file.file()) ? lastGood(file.file()) : file.services().stream())
                .toList();
    }

    /** The last good services of a file, or of all files of a directory that cannot be listed. */
    private Stream<ServiceDraft> lastGood(Path fileOrDirectory) {
        return lastGood.stream()
                .flatMap(config -> config.services().stream())
                .map(service -> ServiceDraft.lastGood(service, fileOf(service)))
                .filter(draft -> draft.origin().file().equals(fileOrDirectory)
                        || fileOrDirectory.equals(draft.origin().file().getParent()));
    }

    private Path fileOf(Service service) {
        Path file = lastGood.orElseThrow().serviceFiles().get(service.name());
        if (file == null) {
            throw new IllegalStateException("service " + service.name() + " comes from no file");
        }
        return file;
    }
}
