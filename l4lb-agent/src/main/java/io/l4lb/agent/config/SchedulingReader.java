// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code scheduler} and {@code table-size} of a service.
 *
 * @param scheduling absent if something is wrong with it
 * @param kernel the kernel's scheduler, if it is one
 */
record SchedulingReader(Optional<Scheduling> scheduling, Optional<KernelScheduler> kernel) {
    private static final Set<Protocol> IN_IPVS = Set.of(Protocol.TCP, Protocol.UDP, Protocol.SCTP);
    private static final Choice<Word> WORDS = new Choice<>(words(), Set.of());

    private record Word(Optional<Scheduler> ours, Optional<KernelScheduler> kernel) {}

    private static Map<String, Word> words() {
        Map<String, Word> words = new LinkedHashMap<>();
        for (Scheduler scheduler : Scheduler.values()) {
            words.put(scheduler.key(), new Word(Optional.of(scheduler), Optional.empty()));
        }
        for (KernelScheduler scheduler : KernelScheduler.values()) {
            words.put(scheduler.key(), new Word(Optional.empty(), Optional.of(scheduler)));
        }
        return words;
    }

    static SchedulingReader read(Table table, HashKeyReader hashKey) {
        Optional<Word> word = table.has("scheduler")
                ? table.value("scheduler", "a string", WORDS::parse)
                : Optional.of(new Word(Optional.of(Scheduler.MAGLEV), Optional.empty()));
        Optional<KernelScheduler> kernel = word.flatMap(Word::kernel);
        if (kernel.isPresent()) {
            refuseTableKeys(table, kernel.get(), hashKey);
            return new SchedulingReader(Optional.of(new Scheduling.ByKernel(kernel.get())), kernel);
        }
        int size = tableSize(table);
        Optional<Scheduler> ours = word.flatMap(Word::ours);
        return new SchedulingReader(
                size == 0 ? Optional.empty() : ours.map(scheduler -> new Scheduling.ByTable(scheduler, size)), kernel);
    }

    private static void refuseTableKeys(Table table, KernelScheduler kernel, HashKeyReader hashKey) {
        String scheduler = "scheduler " + Shown.quoted(kernel.key()) + " of the kernel";
        if (table.has("table-size")) {
            table.number("table-size", 3, LookupTable.MAX_SIZE);
            table.problem("table-size", scheduler + " has no table whose size can be chosen");
        }
        hashKey.hashKey().ifPresent(key -> {
            if (key == HashKey.QUIC_CID) {
                table.problem(
                        "hash-key", scheduler + " does not know QUIC; use \"maglev\", \"ketama\" or \"rendezvous\"");
            } else if (key == HashKey.THREE_TUPLE && !kernel.hashesClient()) {
                table.problem("hash-key", scheduler + " does not hash the client; leave hash-key out");
            }
        });
    }

    private static int tableSize(Table table) {
        int size = table.has("table-size")
                ? table.number("table-size", 3, LookupTable.MAX_SIZE).orElse(0)
                : LookupTable.DEFAULT_SIZE;
        if (size > 0 && !Prime.is(size)) {
            table.problem("table-size", size + " is not a prime; the nearest is " + Prime.nearest(size));
        } else if (size > 0 && size < table.size("reals")) {
            table.problem("table-size", size + " is less than the number of reals, " + table.size("reals"));
        }
        return size;
    }

    /** What only one of the dataplanes can do of the service. */
    Suitability suitability(Table table, Optional<Protocol> protocol, Optional<Integer> port, Forwarding forwarding) {
        List<Located<String>> notInXdp = new ArrayList<>();
        List<Located<String>> notInIpvs = new ArrayList<>();
        kernel.ifPresent(scheduler -> notInXdp.add(table.located(
                "scheduler",
                Shown.quoted(scheduler.key())
                        + " is the kernel's own, for agent.dataplane = \"ipvs\" alone; use \"maglev\", \"ketama\" or"
                        + " \"rendezvous\"")));
        if (!forwarding.inXdp()) {
            notInXdp.add(table.located(
                    "forwarding",
                    Shown.quoted(forwarding.key())
                            + " is for agent.dataplane = \"ipvs\" alone; use \"ipip\" or \"gue\""));
        }
        protocol.filter(other -> !IN_IPVS.contains(other))
                .ifPresent(other -> notInIpvs.add(table.located(
                        "protocol",
                        Shown.quoted(other.key())
                                + " is for agent.dataplane = \"xdp\" alone: IPVS schedules tcp, udp and sctp")));
        if (kernel.isPresent() && port.equals(Optional.of(Frontend.ANY_PORT))) {
            notInIpvs.add(table.located(
                    "port",
                    "a scheduler of the kernel needs a port; every port goes with \"maglev\", \"ketama\" or"
                            + " \"rendezvous\""));
        }
        return new Suitability(notInXdp, notInIpvs);
    }
}
