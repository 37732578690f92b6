// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static io.l4lb.agent.reconcile.Samples.ONE;
import static io.l4lb.agent.reconcile.Samples.THREE;
import static io.l4lb.agent.reconcile.Samples.TWO;
import static io.l4lb.agent.reconcile.Samples.VIP4;
import static io.l4lb.agent.reconcile.Samples.VIP6;
import static io.l4lb.agent.reconcile.Samples.config;
import static io.l4lb.agent.reconcile.Samples.quic;
import static io.l4lb.agent.reconcile.Samples.real;
import static io.l4lb.agent.reconcile.Samples.web;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.config.KeyLines;
import io.l4lb.agent.config.LoadResult;
import io.l4lb.agent.config.Problem;
import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.dataplane.ipvs.IpvsTables;
import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Quorum;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.agent.model.Service;
import io.l4lb.agent.reconcile.RealStates;
import io.l4lb.agent.status.ConfigDiffView;
import io.l4lb.agent.status.ConfigDiffView.KeyChange;
import io.l4lb.agent.status.ConfigDiffView.ServiceChange;
import io.l4lb.agent.status.ConfigDiffView.TableChange;
import io.l4lb.agent.status.IpvsadmView;
import io.l4lb.agent.status.StatusView;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.healthcheck.HealthState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a reload would change, asked of a running agent, and of the plans alone. */
class ConfigDiffTest {
    private static final Config CONFIG = config(web(real(ONE, 100), real(TWO, 100)));
    private static final Tables IPVS = new IpvsTables(new SeededTables(RunningAgent.SEED), Maglev.KERNEL);

    private static ConfigDiffView diff(RunningAgent agent, Config next) throws Exception {
        agent.files = new LoadResult(Optional.of(next), List.of());
        return agent.control.diff().get(20, TimeUnit.SECONDS);
    }

    private static LookupTable installed(RunningAgent agent) {
        return agent.kernel
                .installed(new ServiceKey(VIP4, Protocol.TCP, 80))
                .orElseThrow()
                .table();
    }

    @Test
    void theDifferenceIsWhatAReloadMakesAndChangesNothing() throws Exception {
        Config next = config(web(real(ONE, 50), real(THREE, 100)), quic(real(ONE, 1)));
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            LookupTable before = installed(agent);
            StatusView status = agent.status();
            int installs = agent.kernel.installs();
            var probes = agent.kernel.probes();
            ConfigDiffView diff = diff(agent, next);
            assertEquals(CONFIG, agent.loop.config());
            assertEquals(installs, agent.kernel.installs());
            assertEquals(probes, agent.kernel.probes());
            assertEquals(status.problems(), agent.status().problems());
            assertEquals(List.of(), diff.problems());
            assertTrue(diff.applicable());
            assertEquals(
                    List.of(
                            new ServiceChange("quic", "added", List.of()),
                            new ServiceChange(
                                    "web",
                                    "changed",
                                    List.of(
                                            new KeyChange("reals[10.0.1.1].weight", "100", "50"),
                                            new KeyChange("reals[10.0.1.2]", "weight 100", ""),
                                            new KeyChange("reals[10.0.1.3]", "", "weight 100")))),
                    diff.services());
            agent.control.reload().get(20, TimeUnit.SECONDS);
            agent.up();
            int moved = installed(agent).moved(before);
            assertTrue(moved > 0);
            assertEquals(
                    List.of("tcp 192.0.2.10 port 80", "tcp 2001:db8::10 port 80"),
                    diff.tables().stream().map(TableChange::key).toList());
            for (TableChange table : diff.tables()) {
                assertEquals(moved, table.moved());
                assertEquals(251, table.slotsAfter());
                assertEquals("%016x".formatted(before.digest()), table.digestBefore());
                assertEquals("%016x".formatted(installed(agent).digest()), table.digestAfter());
            }
        }
    }

    @Test
    void presentHealthCountsForBothSides() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            agent.probes.set(VIP4, TWO, HealthState.DOWN);
            agent.loop.want(CONFIG).get(20, TimeUnit.SECONDS);
            // By this VIP all slots are one real's, whatever its weight; by the other one some move.
            List<TableChange> tables =
                    diff(agent, config(web(real(ONE, 30), real(TWO, 100)))).tables();
            assertEquals(0, tables.get(0).moved());
            assertTrue(tables.get(1).moved() > 0);
        }
    }

    @Test
    void equalFilesHaveNoDifference() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            assertEquals(new ConfigDiffView(true, List.of(), List.of(), List.of()), diff(agent, CONFIG));
        }
    }

    @Test
    void problemsAreThoseOfAReload() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            Problem problem = new Problem(Path.of("l4lb.toml"), 7, "services[0].port", "is missing");
            agent.files = new LoadResult(Optional.of(CONFIG), List.of(problem), List.of(), KeyLines.UNKNOWN);
            ConfigDiffView broken = agent.control.diff().get(20, TimeUnit.SECONDS);
            assertEquals(
                    new ConfigDiffView(
                            false, List.of("l4lb.toml:7: services[0].port: is missing"), List.of(), List.of()),
                    broken);
            Config other = config(web(real(ONE, 100)));
            Config moved = new Config(
                    other.agent(), Other.xdp(other.xdp()), other.bgp(), other.services(), other.serviceFiles(), true);
            ConfigDiffView refused = diff(agent, moved);
            assertEquals(agent.control.reload().get(20, TimeUnit.SECONDS).problems(), refused.problems());
            assertEquals(1, refused.problems().size());
            assertEquals(false, refused.applicable());
            assertEquals(1, refused.services().size());
        }
    }

    @Test
    void onlyIpvsHasRules() throws Exception {
        try (RunningAgent agent = new RunningAgent(CONFIG).up()) {
            ExecutionException failure = assertThrows(
                    ExecutionException.class, () -> agent.control.ipvsadm().get(20, TimeUnit.SECONDS));
            assertEquals(
                    ControlException.refused("only the dataplane ipvs has rules for ipvsadm; this one is memory")
                            .toString(),
                    String.valueOf(failure.getCause()));
            agent.kernel.rules(List.of("-A -f 1 -s rr"));
            assertEquals(
                    new IpvsadmView(List.of("-A -f 1 -s rr")),
                    agent.control.ipvsadm().get(20, TimeUnit.SECONDS));
        }
    }

    private static Service scheduled(Scheduling scheduling, HashKey hashKey, Real... reals) {
        Service web = web("web", 80, List.of(VIP4), new Quorum(1, false), reals);
        Balancing balancing = web.balancing();
        return new Service(
                web.name(),
                web.frontend(),
                new Balancing(scheduling, hashKey, Optional.empty(), balancing.forwarding()),
                web.quorum(),
                web.healthCheck(),
                web.reals());
    }

    private static Service maglev(int size, Real... reals) {
        return scheduled(new Scheduling.ByTable(Scheduler.MAGLEV, size), HashKey.FIVE_TUPLE, reals);
    }

    private static TableChange change(Tables tables, Service before, Service after) {
        RealStates unknown = new RealStates(Map.of(), Map.of());
        List<TableChange> changes = new TableChanges(tables, tables, unknown).of(config(before), config(after));
        assertEquals(1, changes.size());
        return changes.get(0);
    }

    @Test
    void tablesThatCannotBeComparedMoveAll() {
        Tables seeded = new SeededTables(RunningAgent.SEED);
        TableChange size = change(seeded, maglev(251, real(ONE, 1)), maglev(257, real(ONE, 1)));
        assertEquals(
                List.of(251, 257, 257, false),
                List.of(size.slotsBefore(), size.slotsAfter(), size.moved(), size.comparable()));
        Scheduling scheduling = new Scheduling.ByTable(Scheduler.MAGLEV, 251);
        TableChange key =
                change(seeded, maglev(251, real(ONE, 1)), scheduled(scheduling, HashKey.THREE_TUPLE, real(ONE, 1)));
        assertEquals(251, key.moved());
        assertEquals("flows are hashed by another key", key.note());
    }

    @Test
    void schedulersWithoutATableTellNothing() {
        Scheduling rr = new Scheduling.ByKernel(KernelScheduler.RR);
        Service before = scheduled(rr, HashKey.FIVE_TUPLE, real(ONE, 1));
        TableChange none = change(IPVS, before, scheduled(rr, HashKey.FIVE_TUPLE, real(ONE, 2)));
        assertEquals(List.of(0, 0, -1), List.of(none.slotsBefore(), none.slotsAfter(), none.moved()));
        TableChange one = change(IPVS, before, maglev(251, real(ONE, 1)));
        assertEquals(List.of(0, 4093, -1), List.of(one.slotsBefore(), one.slotsAfter(), one.moved()));
    }

    @Test
    void theKernelsMaglevSaysWhoseLevelsChange() {
        Service before = maglev(251, real(ONE, 100), real(TWO, 100), real(THREE, 100));
        TableChange all = change(IPVS, before, maglev(251, real(ONE, 100), real(TWO, 100), real(THREE, 200)));
        assertEquals(4093, all.slotsAfter());
        assertTrue(all.moved() > 0);
        assertEquals(
                "levels of mh change for reals whose weight stays: 10.0.1.1 25 -> 13, 10.0.1.2 25 -> 13", all.note());
        TableChange none = change(IPVS, before, maglev(251, real(ONE, 100), real(TWO, 50), real(THREE, 100)));
        assertEquals("", none.note());
    }

    @Test
    void aVipMayChangeHands() {
        Tables seeded = new SeededTables(RunningAgent.SEED);
        Quorum quorum = new Quorum(1, false);
        Config running = config(web("one", 80, List.of(VIP4, VIP6), quorum, real(ONE, 1)));
        Config next = config(
                web("one", 80, List.of(VIP4), quorum, real(ONE, 1)),
                web("two", 80, List.of(VIP6), quorum, real(ONE, 1)));
        RealStates unknown = new RealStates(Map.of(), Map.of());
        List<TableChange> changes = new TableChanges(seeded, seeded, unknown).of(running, next);
        assertEquals(
                List.of("one", "two"),
                changes.stream().map(TableChange::service).toList());
        assertEquals(List.of(0, 0), changes.stream().map(TableChange::moved).toList());
    }
}
