// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.AgentSection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The main file.
 *
 * @param lines where its keys stand
 * @param agent present where the file could be read
 * @param bgp its section is present if it is there and nothing in the file is wrong
 */
record MainFile(
        LoadedFile content, KeyLines lines, Optional<AgentSection> agent, DataplaneReader sections, BgpReader bgp) {
    /** The tables that only the main file can hold. */
    static final List<String> SECTIONS = List.of("agent", "xdp", "ipvs", "bgp");

    static MainFile read(Path file, Function<Table, AgentSection> readAgent) {
        Problems problems = new Problems(file);
        Optional<Table> root = TomlFile.read(file, problems);
        if (root.isEmpty()) {
            return unusable(problems, List.of());
        }
        Table table = root.get();
        if (table.holdsOnly("services")) {
            problems.add("looks like a file for services-dir: it holds only [[services]]. Check the main file instead,"
                    + " which has [agent] and leads to this one");
            return unusable(problems, LoadedFile.services(table));
        }
        Optional<AgentSection> agent = table.table("agent").map(readAgent);
        DataplaneReader sections = DataplaneReader.read(
                table, isWrong(problems, "agent.dataplane") ? Optional.empty() : agent.map(AgentSection::dataplane));
        BgpReader bgp =
                table.has("bgp") ? table.table("bgp").map(BgpReader::read).orElse(BgpReader.NONE) : BgpReader.NONE;
        List<ServiceDraft> services = LoadedFile.services(table);
        table.finish();
        return new MainFile(new LoadedFile(problems, services), table.keyLines(), agent, sections, bgp);
    }

    private static MainFile unusable(Problems problems, List<ServiceDraft> services) {
        return new MainFile(
                new LoadedFile(problems, services),
                KeyLines.UNKNOWN,
                Optional.empty(),
                DataplaneReader.NONE,
                BgpReader.NONE);
    }

    /** Where more services are; absent if the file does not tell. */
    Optional<Path> servicesDir() {
        return isWrong(content.problems(), "agent.services-dir")
                ? Optional.empty()
                : agent.map(AgentSection::servicesDir);
    }

    private static boolean isWrong(Problems problems, String key) {
        return problems.sorted().stream().anyMatch(problem -> problem.key().equals(key));
    }
}
