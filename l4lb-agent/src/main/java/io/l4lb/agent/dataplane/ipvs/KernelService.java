// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.mh.KernelMaglev;
import io.l4lb.hashing.mh.MhDestination;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.ServiceFlag;
import io.l4lb.ipvs.ServiceSettings;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A service that the kernel schedules, read back. Two are equal when their facts are. */
final class KernelService implements ObservedService {
    private final Facts facts;
    private @Nullable KernelMaglev table;

    /**
     * What was read.
     *
     * @param listed its destinations, in the order of the kernel's list
     * @param nominal by destination, the latest weight other than 0 that it had, where that is known: mh keeps its slots by it
     * @param maglev who is to make the tables of Maglev
     * @param settled whether this agent has gone through it: it knows what in it only drains
     */
    record Facts(
            ServiceKey key,
            ServiceSettings settings,
            List<Destination> listed,
            Map<DestinationIdentity, Integer> nominal,
            Maglev maglev,
            boolean settled) {
        Facts {
            listed = List.copyOf(listed);
            nominal = Map.copyOf(nominal);
        }
    }

    KernelService(Facts facts) {
        this.facts = facts;
    }

    ServiceSettings settings() {
        return facts.settings();
    }

    List<Destination> listed() {
        return facts.listed();
    }

    @Override
    public ServiceKey key() {
        return facts.key();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KernelService service && facts.equals(service.facts);
    }

    @Override
    public int hashCode() {
        return facts.hashCode();
    }

    @Override
    public String toString() {
        return facts.toString();
    }

    /** As what it does: whatever else was asked for is not to be seen here. */
    ServiceProgram program() {
        List<Member> members = listed().stream()
                .map(each -> new Member(
                        each.identity().address(),
                        lastWeight(each),
                        each.settings().weight() > 0))
                .toList();
        Forwarding forwarding = listed().stream()
                .findFirst()
                .map(each -> ServiceRule.forwarding(each.settings().forwarding()))
                .orElse(Forwarding.IPIP);
        return new ServiceProgram(
                key(), packetKey(), forwarding, Optional.empty(), table().map(KernelMaglev::table), members);
    }

    /** As if that real were down: of UDP it is taken out, else it keeps its slots, which others answer for. */
    KernelService without(InetAddress lost) {
        boolean leaves = key().protocol() == Protocol.UDP;
        Map<DestinationIdentity, Integer> nominal = new HashMap<>(facts.nominal());
        listed().forEach(each -> nominal.put(each.identity(), lastWeight(each)));
        List<Destination> left = listed().stream()
                .filter(each -> !leaves || !each.identity().address().equals(lost))
                .map(each -> each.identity().address().equals(lost) ? each.withWeight(0) : each)
                .toList();
        return new KernelService(new Facts(key(), settings(), left, nominal, facts.maglev(), facts.settled()));
    }

    ServiceDiff diff(ServiceRule rule) {
        return ServiceDiff.between(facts.settings(), facts.listed(), facts.nominal(), rule);
    }

    @Override
    public boolean does(ServiceProgram program) {
        Optional<KernelScheduler> scheduler = KernelSchedulers.of(program, facts.maglev());
        return key().equals(program.key())
                && facts.settled()
                && scheduler.isPresent()
                && diff(ServiceRule.of(program, scheduler.get())).isEmpty();
    }

    /** The table of mh, the only scheduler whose table is known; made when it is first asked for. */
    Optional<KernelMaglev> table() {
        if (table == null && settings().scheduler().equals(KernelScheduler.MH.key())) {
            table = mh();
        }
        return Optional.ofNullable(table);
    }

    private KernelMaglev mh() {
        return KernelMaglev.of(
                Identities.family(key()),
                listed().stream()
                        .map(each -> new MhDestination(
                                Real.identity(each.identity().address()),
                                each.identity().address(),
                                each.identity().port(),
                                lastWeight(each)))
                        .toList());
    }

    int lastWeight(Destination destination) {
        int weight = destination.settings().weight();
        return weight != 0 ? weight : facts.nominal().getOrDefault(destination.identity(), 0);
    }

    @Override
    public int tableSize() {
        return table().isPresent() ? KernelMaglev.SIZE : 0;
    }

    @Override
    public long digest() {
        return table().map(table -> table.table().digest()).orElseGet(this::weightsDigest);
    }

    /** The same on directors that give the same weights to the same reals, in whatever order. */
    private long weightsDigest() {
        long digest = settings().toString().hashCode();
        for (Destination each : listed()) {
            String one = Real.identity(each.identity().address()) + " "
                    + each.settings().weight();
            digest += one.hashCode() * 0x9e3779b97f4a7c15L;
        }
        return digest;
    }

    @Override
    public Map<InetAddress, Integer> slots() {
        Map<InetAddress, Integer> slots = new HashMap<>();
        Optional<Map<String, Integer>> shares = table().map(mh -> mh.table().slotsByReal());
        for (Destination each : listed()) {
            InetAddress real = each.identity().address();
            int weight = each.settings().weight();
            int share = shares.map(known -> known.getOrDefault(Real.identity(real), 0))
                    .orElse(weight);
            if (weight > 0 && share > 0) {
                slots.put(real, share);
            }
        }
        return slots;
    }

    @Override
    public Set<InetAddress> active() {
        return listed().stream()
                .filter(each -> each.settings().weight() > 0)
                .map(each -> each.identity().address())
                .collect(Collectors.toSet());
    }

    @Override
    public PacketKey packetKey() {
        boolean port = settings().flags().contains(ServiceFlag.MH_PORT);
        boolean hashes = settings().scheduler().equals(KernelScheduler.MH.key())
                || settings().scheduler().equals(KernelScheduler.SH.key());
        return hashes && !port ? new PacketKey(HashKey.THREE_TUPLE, Optional.empty(), Map.of()) : PacketKey.FIVE_TUPLE;
    }

    @Override
    public boolean forwards() {
        return listed().stream().anyMatch(each -> each.settings().weight() > 0);
    }
}
