// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Real;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TestRun;
import io.l4lb.xdp.UpdateMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The balancer with a scenario's constants, settings and services in maps of its own; attached to nothing. */
final class LoadedBalancer implements AutoCloseable {
    private static final int ENTRIES = 65536;
    /** Offset of `capture` in `struct settings`. */
    private static final int CAPTURE = 52;

    private static final String CONSTANTS = ".rodata.constants";
    private static final List<String> MAPS = List.of(
            "services",
            "service_generation",
            "tables",
            "reals",
            "server_ids",
            "vips",
            "vip_filter",
            "flows",
            "fragments",
            "settings",
            "real_counters",
            "verdicts",
            "service_verdicts",
            "events");

    private final ProgramHandle program;
    private final Map<String, BpfMap> maps;
    private final ServiceMaps services;
    private final Map<Integer, ServiceKey> keys = new HashMap<>();
    private final Tally past = new Tally();

    LoadedBalancer(Scenario scenario) {
        try (BpfObject object = BpfObject.open("balancer", BpfProgram.BALANCER.object())) {
            object.maxEntries("flows", ENTRIES).maxEntries("fragments", ENTRIES);
            object.constants(
                    CONSTANTS, scenario.constants(Jiffies.read()).encode().array());
            object.load();
            program = object.program("balancer");
            maps = MAPS.stream().collect(Collectors.toMap(name -> name, object::map));
        }
        services = new ServiceMaps(
                new ServiceEntries(map("services"), map("service_generation")),
                new ServiceMaps.Maps(map("tables"), map("reals"), map("real_counters")),
                new Vips(map("vips"), map("vip_filter")),
                new ServerIds(map("server_ids")),
                new Flows(map("flows"), map("fragments")));
        map("settings")
                .update(
                        Word.encode(0),
                        scenario.settings().encode().putInt(CAPTURE, scenario.capture()),
                        UpdateMode.ANY);
        scenario.programs().values().forEach(this::install);
    }

    BpfMap map(String name) {
        return Objects.requireNonNull(maps.get(name));
    }

    /** The service that has, or had, that id. */
    ServiceKey service(int id) {
        return Objects.requireNonNull(keys.get(id));
    }

    /** Whether it has that id still: one that was taken away and comes back gets another. */
    boolean isThere(int id) {
        ByteBuffer key = KeyLayout.encode(service(id));
        return map("services")
                .lookup(key)
                .filter(value -> ServiceValue.decode(value).id() == id)
                .isPresent();
    }

    RealValue real(int number) {
        return RealValue.decode(map("reals").lookup(Word.encode(number)).orElseThrow());
    }

    TestRun run(byte[] frame) {
        return program.testRun(frame);
    }

    void make(Scenario.Change change) {
        change.program().ifPresentOrElse(this::install, () -> remove(change.key()));
    }

    /** Its id may be given anew: what is counted by it is taken away, and kept here. */
    private void remove(ServiceKey key) {
        services.remove(Set.of(key));
        BpfMap counters = map("service_verdicts");
        serviceVerdicts((id, what, counter) -> {
            if (service(id.getInt(0)).equals(key)) {
                past.count(what, counter.packets(), counter.bytes());
                counters.delete(id);
            }
        });
    }

    /** Counters of `service_verdicts`: key, name and value. */
    private interface Visitor {
        void visit(ByteBuffer key, String what, Counter counter);
    }

    private void serviceVerdicts(Visitor visitor) {
        BpfMap counters = map("service_verdicts");
        for (byte[] bytes : counters.keys()) {
            ByteBuffer key = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            String what = Tally.service(service(key.getInt(0)).toString(), Verdicts.NAMES.get(key.getInt(4)));
            visitor.visit(key, what, PerCpuCounter.sum(counters.lookupPerCpu(key)));
        }
    }

    /** What was counted by verdict, by real and by service, of services that are gone too. */
    Tally counted() {
        Tally counted = new Tally();
        past.counters().forEach((what, counter) -> counted.count(what, counter.packets(), counter.bytes()));
        serviceVerdicts((key, what, counter) -> counted.count(what, counter.packets(), counter.bytes()));
        for (int i = 0; i < Verdicts.NAMES.size(); i++) {
            Counter counter = PerCpuCounter.read(map("verdicts"), i);
            counted.count(Tally.verdict(Verdicts.NAMES.get(i)), counter.packets(), counter.bytes());
        }
        for (int number = 0; !real(number).address().isAnyLocalAddress(); number++) {
            RealValue real = real(number);
            String what = Tally.real(service(real.service()).toString(), Real.identity(real.address()));
            Counter counter = PerCpuCounter.read(map("real_counters"), number);
            counted.count(what, counter.packets(), counter.bytes());
        }
        return counted;
    }

    /** Slots of reals that are not active name nobody in the kernel: its digest may be another. */
    private void install(ServiceProgram wanted) {
        ObservedService done = services.install(wanted);
        assertEquals(wanted.packetKey(), done.packetKey());
        assertEquals(wanted.active(), done.active());
        ByteBuffer key = KeyLayout.encode(wanted.key());
        ServiceValue value = ServiceValue.decode(map("services").lookup(key).orElseThrow());
        keys.put(value.id(), wanted.key());
    }

    @Override
    public void close() {
        maps.values().forEach(BpfMap::close);
        program.close();
    }
}
