// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the configuration files. */
public final class ConfigLoader {
    private ConfigLoader() {}

    /**
     * Reads the main file and the files of its {@code services-dir}, and finds all problems of all of them.
     *
     * <p>A broken file in {@code services-dir} keeps its services as they were in {@code lastGood}, without which it has
     * none, and the configuration is not complete. With a broken main file everything stays as it was.
     *
     * @param main the main file
     * @param lastGood what this gave the last time, of the same main file
     */
    public static LoadResult load(Path main, Optional<Config> lastGood) {
        return load(main, MainFile.read(main, AgentReader::read), lastGood);
    }

    /**
     * Reads the files where they are only looked at, perhaps not on a director, or not by root: the same, but the seed's
     * file need not be there or readable.
     */
    public static LoadResult loadWithoutSeed(Path main) {
        return load(main, MainFile.read(main, AgentReader::readWithoutSeed), Optional.empty());
    }

    private static LoadResult load(Path main, MainFile mainFile, Optional<Config> lastGood) {
        List<LoadedFile> files = new ArrayList<>();
        files.add(mainFile.content());
        mainFile.servicesDir()
                .or(() -> lastGood.map(config -> config.agent().servicesDir()))
                .ifPresent(directory -> files.addAll(ServicesDirectory.read(directory, running(directory, lastGood))));
        files.addAll(vanished(files, lastGood));
        files.subList(1, files.size()).sort(Comparator.comparing(LoadedFile::file));
        files.forEach(file -> mainFile.bgp().refuseVips(file, main));
        mainFile.sections().refuse(files, main);

        List<ServiceDraft> services = new Settlement(files, lastGood).settle();
        List<Problem> problems = files.stream()
                .flatMap(file -> file.problems().sorted().stream())
                .toList();
        boolean complete = problems.isEmpty() || lastGood.map(Config::complete).orElse(false);
        List<Problem> warnings = files.stream()
                .flatMap(file -> file.problems().warnings().stream())
                .toList();
        return new LoadResult(
                mainFile.content().broken() ? lastGood : Optional.of(config(mainFile, services, complete)),
                problems,
                warnings,
                mainFile.lines());
    }

    /**
     * The files that are gone while another is broken: perhaps they were renamed to it, so their services stay.
     *
     * @param files those that are there
     */
    private static List<LoadedFile> vanished(List<LoadedFile> files, Optional<Config> lastGood) {
        if (files.stream().skip(1).noneMatch(LoadedFile::broken)) {
            return List.of();
        }
        // A directory that cannot be read stands for all its files.
        Set<Path> there = files.stream().map(LoadedFile::file).collect(Collectors.toSet());
        return lastGood.stream()
                .flatMap(config -> config.serviceFiles().values().stream())
                .filter(file -> !there.contains(file) && !there.contains(file.getParent()))
                .distinct()
                .sorted()
                .map(file -> {
                    Problems problems = new Problems(file);
                    problems.add("is gone; its services stay while another file is broken");
                    return new LoadedFile(problems, List.of());
                })
                .toList();
    }

    private static boolean running(Path directory, Optional<Config> lastGood) {
        return lastGood.stream()
                .flatMap(config -> config.serviceFiles().values().stream())
                .anyMatch(file -> directory.equals(file.getParent()));
    }

    private static Config config(MainFile main, List<ServiceDraft> drafts, boolean complete) {
        List<Service> services = new ArrayList<>();
        Map<String, Path> files = new HashMap<>();
        for (ServiceDraft draft : drafts) {
            Service service = draft.service().orElseThrow();
            services.add(service);
            files.put(service.name(), draft.origin().file());
        }
        return new Config(
                main.agent().orElseThrow(),
                main.sections().sections().orElseThrow(),
                main.bgp().section(),
                services,
                files,
                complete);
    }

    /**
     * Reads the file of {@code hash-seed-file}.
     *
     * @return 32 hexadecimal digits, lower case
     * @throws IOException with a message for the operator: the file cannot be read, or holds something else
     */
    public static String readSeed(Path file) throws IOException {
        return SeedFile.readSeed(file);
    }
}
