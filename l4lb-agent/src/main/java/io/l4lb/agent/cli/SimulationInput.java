// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.config.ConfigLoader;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The tables to simulate.
 *
 * @param tables at least one
 * @param seed of all of them
 * @param seedText where it is from
 */
record SimulationInput(List<SimulatedTable> tables, HashSeed seed, String seedText) {
    /** What an agent without hash-seed-file has too. */
    private static final HashSeed DEFAULT_SEED = new HashSeed(0, 0);

    private static final String DEFAULT_SEED_TEXT = "seed 00000000000000000000000000000000 (the default)";

    /** One table that is no service's. */
    static SimulationInput of(SimulatedTable table, Optional<HashSeed> seed) {
        return of(List.of(table), seed);
    }

    private static SimulationInput of(List<SimulatedTable> tables, Optional<HashSeed> seed) {
        return seed.map(given -> new SimulationInput(tables, given, "seed of --seed"))
                .orElseGet(() -> new SimulationInput(tables, DEFAULT_SEED, DEFAULT_SEED_TEXT));
    }

    /**
     * Reads a configuration, whose seed may be another user's secret, or on another machine.
     *
     * @param service the only one that is wanted; empty: all
     * @param size of the tables; empty: as configured
     * @param problem is told each problem of the files
     * @param note is told anything else
     */
    record OfFile(Optional<String> service, Optional<Integer> size, Consumer<Problem> problem, Consumer<String> note) {
        /**
         * The tables of the file's services.
         *
         * @param seed empty: the configured one
         * @return empty: there are none, and it was said why
         */
        Optional<SimulationInput> read(Path file, Optional<HashSeed> seed) {
            LoadResult loaded = ConfigLoader.loadWithoutSeed(file);
            loaded.problems().forEach(problem);
            return loaded.problems().isEmpty()
                    ? loaded.config().flatMap(config -> input(config, seed))
                    : Optional.empty();
        }

        private Optional<SimulationInput> input(Config config, Optional<HashSeed> seed) {
            List<SimulatedTable> tables = config.services().stream()
                    .filter(each -> service.isEmpty() || service.get().equals(each.name()))
                    .map(each -> SimulatedTable.of(each, size.orElse(sizeOf(each))))
                    .toList();
            if (tables.isEmpty()) {
                note.accept(service.map(name -> "no service is named \"" + name + "\"")
                        .orElse("there is no service"));
                return Optional.empty();
            }
            if (config.dataplane() instanceof IpvsSection) {
                note.accept("tables that the kernel's schedulers make are others than these;"
                        + " l4lb config diff says what a change of the file moves in them");
            }
            Optional<Path> seedFile = config.agent().hashSeedFile();
            return Optional.of(
                    seed.isPresent() || seedFile.isEmpty()
                            ? SimulationInput.of(tables, seed)
                            : withSeedOf(seedFile.get(), tables));
        }

        /** The kernel's schedulers have none that is configured. */
        private static int sizeOf(Service service) {
            int configured = service.balancing().scheduling().tableSize();
            return configured == 0 ? LookupTable.DEFAULT_SIZE : configured;
        }

        private SimulationInput withSeedOf(Path seedFile, List<SimulatedTable> tables) {
            try {
                HashSeed seed = HashSeed.ofHex(ConfigLoader.readSeed(seedFile));
                return new SimulationInput(tables, seed, "seed of " + seedFile);
            } catch (IOException e) {
                note.accept(
                        "hash-seed-file \"" + seedFile + "\" " + e.getMessage() + "; going on with the default seed");
                return SimulationInput.of(tables, Optional.empty());
            }
        }
    }
}
