// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashKey;
import io.l4lb.ipvs.Destination;
import io.l4lb.ipvs.DestinationIdentity;
import io.l4lb.ipvs.DestinationSettings;
import io.l4lb.ipvs.ForwardingMethod;
import io.l4lb.ipvs.PlainForwarding;
import io.l4lb.ipvs.Service;
import io.l4lb.ipvs.ServiceFlag;
import io.l4lb.ipvs.ServiceSettings;
import io.l4lb.ipvs.Tunnel;
import io.l4lb.ipvs.TunnelChecksum;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What IPVS shall have for a service that the kernel schedules.
 *
 * @param wanted the destinations in the order of the kernel's list
 * @param drained those that may keep the connections that they have, and are not added for it
 * @param dead those whose connections have to move, since nothing else ends them
 */
record ServiceRule(
        Service service, List<Wanted> wanted, Set<DestinationIdentity> drained, Set<DestinationIdentity> dead) {
    /** IANA's, where Linux's fou listens by convention. */
    private static final int GUE_PORT = 6080;

    /**
     * A destination.
     *
     * @param destination with its weight now
     * @param nominal the weight that decides its slots in the table of mh, which it keeps at a weight of 0; else the same
     */
    record Wanted(Destination destination, int nominal) {
        DestinationIdentity identity() {
            return destination.identity();
        }

        int weight() {
            return destination.settings().weight();
        }
    }

    ServiceRule {
        wanted = List.copyOf(wanted);
        drained = Set.copyOf(drained);
        dead = Set.copyOf(dead);
    }

    /**
     * The rule of a service.
     *
     * @param scheduler of the kernel
     */
    static ServiceRule of(ServiceProgram program, KernelScheduler scheduler) {
        boolean tcp = program.key().protocol() != Protocol.UDP;
        ForwardingMethod method = method(program.forwarding());
        Map<String, Integer> levels = scheduler == KernelScheduler.MH ? MhLevels.of(program.members()) : Map.of();
        List<Wanted> wanted = new ArrayList<>();
        Set<DestinationIdentity> drained = new HashSet<>();
        Set<DestinationIdentity> dead = new HashSet<>();
        for (Member member : MhLevels.listed(program.members())) {
            DestinationIdentity identity =
                    new DestinationIdentity(member.real(), program.key().port());
            if (!member.up() && !tcp) {
                dead.add(identity);
            } else if (member.weight() == 0) {
                drained.add(identity);
            } else {
                int nominal = levels.getOrDefault(member.identity(), member.effectiveWeight());
                int weight = member.up() ? nominal : 0;
                wanted.add(new Wanted(new Destination(identity, DestinationSettings.of(weight, method)), nominal));
            }
        }
        HashKey hashKey = program.packetKey().hashKey();
        return new ServiceRule(
                new Service(Identities.of(program.key()), settings(scheduler, hashKey)), wanted, drained, dead);
    }

    private static ServiceSettings settings(KernelScheduler scheduler, HashKey hashKey) {
        Set<ServiceFlag> flags = new HashSet<>();
        if (scheduler.hashesClient()) {
            flags.add(ServiceFlag.MH_FALLBACK); // of sh it is the same bit, and so is the port's
            if (hashKey != HashKey.THREE_TUPLE) {
                flags.add(ServiceFlag.MH_PORT);
            }
        }
        return new ServiceSettings(scheduler.key(), flags, Optional.empty(), Optional.empty());
    }

    static ForwardingMethod method(Forwarding forwarding) {
        return switch (forwarding) {
            case IPIP -> Tunnel.IPIP;
            case GUE -> Tunnel.gue(GUE_PORT, TunnelChecksum.NONE);
            case GRE -> Tunnel.gre(TunnelChecksum.NONE);
            case DIRECT -> PlainForwarding.DIRECT_ROUTE;
            case MASQUERADE -> PlainForwarding.MASQUERADE;
        };
    }

    /** The same way back; what we have no word for counts as the one that it is most like. */
    static Forwarding forwarding(ForwardingMethod method) {
        if (method instanceof Tunnel tunnel) {
            return switch (tunnel.type()) {
                case IPIP -> Forwarding.IPIP;
                case GUE -> Forwarding.GUE;
                case GRE -> Forwarding.GRE;
            };
        }
        return method == PlainForwarding.MASQUERADE ? Forwarding.MASQUERADE : Forwarding.DIRECT;
    }

    /** Whether a destination has the slots of its nominal weight while its weight is 0. */
    boolean keepsSlots() {
        return KernelScheduler.MH.key().equals(service.settings().scheduler());
    }

    /** Whether the place in the list decides who gets a flow. */
    boolean ordered() {
        String scheduler = service.settings().scheduler();
        return keepsSlots()
                || KernelScheduler.SH.key().equals(scheduler)
                || KernelScheduler.DH.key().equals(scheduler);
    }
}
