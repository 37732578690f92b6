// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ipvs.IpvsDataplane;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.hashing.HashSeed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The agent's dataplane in the thread's network namespace, with a state directory of its own that is empty at first. */
final class Director implements AutoCloseable {
    private static final HashSeed SEED = new HashSeed(1, 2);

    private final Map<String, Integer> changes = CountedTransport.counter();
    private final IpvsDataplane dataplane;

    Director() {
        IpvsSection section = new IpvsSection(
                List.of("eth0"),
                IpvsSection.Maglev.KERNEL,
                IpvsSection.DEFAULT_PIN_DIR,
                Duration.ofMinutes(5),
                IpvsSection.Timeouts.OF_THE_KERNEL);
        dataplane = IpvsDataplane.open(
                section,
                state(),
                SEED,
                () -> Instant.EPOCH,
                new IpvsDataplane.Machine(
                        () -> CountedTransport.client(changes),
                        Path.of("/proc/sys"),
                        Path.of("/proc/thread-self/net/ip_vs_conn")));
    }

    private static Path state() {
        try {
            return Files.createTempDirectory("l4lb-bench-ipvs").resolve("state");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void install(List<ServiceProgram> programs) {
        programs.forEach(dataplane::install);
    }

    /** The messages that changed something since the last call, by what they did. */
    Map<String, Integer> changes() {
        Map<String, Integer> since = Map.copyOf(changes);
        changes.clear();
        return since;
    }

    void remove(List<ServiceProgram> programs) {
        dataplane.remove(Set.copyOf(programs.stream().map(ServiceProgram::key).toList()));
    }

    @Override
    public void close() {
        dataplane.close();
    }
}
