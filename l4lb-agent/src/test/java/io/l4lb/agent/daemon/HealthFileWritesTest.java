// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.InMemoryDataplane;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.reconcile.FakeProbes;
import io.l4lb.agent.reconcile.FakeRoutes;
import io.l4lb.agent.reconcile.HealthRecord;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.reconcile.Planner;
import io.l4lb.agent.reconcile.Reconciler;
import io.l4lb.healthcheck.HealthState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the file is written, and what of it is found after the end of an agent, however that came. */
final class HealthFileWritesTest {
    private static final Duration NEVER = Duration.ofDays(1);
    private static final Config CONFIG = config(web(real(ONE, 100), real(TWO, 100), real(THREE, 100)));

    @TempDir
    private Path directory = Path.of("");

    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final FakeProbes probes = new FakeProbes();
    private final Reconciler reconciler =
            new Reconciler(kernel, probes, new FakeRoutes(), new Planner(new SeededTables(RunningAgent.SEED)));
    private final List<String> notes = new ArrayList<>();

    @Test
    void whatOneLeavesItsSuccessorFinds() {
        Outcome frozen = frozen();
        assertEquals(HealthRecord.NONE, left(frozen));
        HealthRecord record = HealthRecord.of(frozen);
        assertEquals(6, record.reals().size());
        assertEquals(6, record.freeze().held().size());
        assertEquals(record, left(frozen));
        assertEquals(List.of(), notes);
    }

    @Test
    void nothingIsLeftOfAnAgentWithoutAPass() {
        open().close();
        assertFalse(Files.exists(file()));
    }

    @Test
    void whatHasNotChangedIsNotWrittenAgain() throws IOException {
        Outcome frozen = frozen();
        left(frozen);
        Files.writeString(file(), Files.readString(file()) + " ");
        left(frozen);
        assertTrue(Files.readString(file()).endsWith(" "));
        probes.all(HealthState.UP);
        left(step());
        assertFalse(Files.readString(file()).endsWith(" "));
    }

    @Test
    void itIsWrittenWhileTheAgentRuns() throws Exception {
        try (HealthFile file = HealthFile.open(directory, Duration.ofMillis(5), notes::add)) {
            file.accept(pass(frozen()));
            while (!Files.exists(file())) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void anAgentThatWasKilledWhileItWroteLeavesWhatThereWas() throws IOException {
        Outcome frozen = frozen();
        left(frozen);
        Files.writeString(directory.resolve("health.json.new"), "{\"version\":1,\"reals\":{\"tcp 19");
        assertEquals(HealthRecord.of(frozen), left(frozen));
        assertEquals(List.of(), notes);
    }

    @Test
    void aDirectoryThatCannotBeWrittenStopsNothing() throws IOException {
        HealthFile file = open();
        Files.createDirectory(directory.resolve("health.json.new"));
        file.accept(pass(frozen()));
        file.close();
        assertFalse(Files.exists(file()));
    }

    /** Opens it, lets an agent come to this outcome and end; returns what it has found. */
    private HealthRecord left(Outcome outcome) {
        try (HealthFile file = open()) {
            file.accept(pass(outcome));
            return file.earlier();
        }
    }

    private HealthFile open() {
        return HealthFile.open(directory, NEVER, notes::add);
    }

    private Path file() {
        return directory.resolve("health.json");
    }

    private Outcome frozen() {
        step();
        probes.all(HealthState.UP);
        step();
        probes.all(HealthState.DOWN);
        return step();
    }

    private Outcome step() {
        return reconciler.step(CONFIG, false, Instant.EPOCH);
    }

    private ReconcileLoop.Pass pass(Outcome outcome) {
        return new ReconcileLoop.Pass(Optional.of(outcome), kernel, "");
    }
}
