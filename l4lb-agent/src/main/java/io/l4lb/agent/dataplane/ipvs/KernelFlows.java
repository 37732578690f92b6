// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Fate;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.mh.KernelMaglev;
import io.l4lb.hashing.mh.MhChoice;
import io.l4lb.ipvs.ServiceFlag;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * New flows of a service that the kernel schedules. Of its schedulers mh alone is a function of the packet; what the others
 * choose depends on what there is when the packet comes.
 */
record KernelFlows(KernelService service) implements NewFlows {
    @Override
    public HashKey hashKey() {
        return service.packetKey().hashKey();
    }

    @Override
    public Choice choose(byte[] frame, FlowKey flow) {
        String scheduler = service.settings().scheduler();
        if (!service.forwards()) {
            return Choice.nowhere(
                    "no real of its service has a weight above 0; its sender is told that the port is unreachable");
        }
        return service.table().map(table -> choose(table, flow)).orElseGet(() -> Choice.nowhere(
                        "IPVS has no connection of it: the kernel's scheduler " + scheduler
                                + " decides when the packet is there")
                .as(IpvsVerdict.FORWARD));
    }

    private Choice choose(KernelMaglev table, FlowKey flow) {
        Optional<MhChoice> own = select(table, flow, real -> true);
        Optional<MhChoice> taken = select(table, flow, this::isUp);
        if (own.isEmpty() || taken.isEmpty()) {
            return Choice.nowhere("the slot of mh that it has names no real that may have new connections");
        }
        InetAddress real = address(taken.get());
        String slot = "IPVS has no connection of it, or it begins one, so it goes by its slot of mh: "
                + own.get().slot() + " of " + KernelMaglev.SIZE + " names " + IpText.of(address(own.get()));
        String fallback = taken.get().fallback()
                ? ", which takes no new connections, so it falls back to slot "
                        + taken.get().slot() + ", which names " + IpText.of(real)
                : "";
        return Choice.of(real, slot + fallback).at(taken.get().slot());
    }

    private Optional<MhChoice> select(KernelMaglev table, FlowKey flow, Predicate<String> available) {
        int port = service.settings().flags().contains(ServiceFlag.MH_PORT) ? flow.sourcePort() : 0;
        boolean fallback = service.settings().flags().contains(ServiceFlag.MH_FALLBACK);
        return table.select(flow.source(), port, available, fallback);
    }

    private boolean isUp(String identity) {
        return service.active().stream().anyMatch(real -> Real.identity(real).equals(identity));
    }

    private InetAddress address(MhChoice choice) {
        return service.listed().stream()
                .map(each -> each.identity().address())
                .filter(real -> Real.identity(real).equals(choice.identity()))
                .findFirst()
                .orElseThrow();
    }

    /** See ip_vs_leave in net/netfilter/ipvs/ip_vs_core.c. */
    @Override
    public Fate withoutReal() {
        return Fate.DROP;
    }

    @Override
    public boolean isKernels() {
        return service.forwards() && service.table().isEmpty();
    }

    /** The settings that are needed for it are among those that the driver sets. */
    @Override
    public boolean keeps(InetAddress real, boolean begins) {
        return service.listed().stream()
                .filter(each -> each.identity().address().equals(real))
                .anyMatch(each -> !begins || each.settings().weight() > 0);
    }

    /**
     * What the service would be without a real, and what would move; empty: its scheduler has no table that is known.
     *
     * @param lost one that has slots
     */
    Optional<Loss> without(InetAddress lost) {
        return service.table().map(before -> {
            KernelFlows after = new KernelFlows(service.without(lost));
            int own = before.table().slotsByReal().getOrDefault(Real.identity(lost), 0);
            int moved = after.service
                    .table()
                    .map(table -> table.table().reals().equals(before.table().reals())
                            ? own
                            : before.table().moved(table.table()))
                    .orElse(own);
            return new Loss(after, moved, moved - own);
        });
    }

    /**
     * A service that has lost a real.
     *
     * @param moved slots whose flows go to another real
     * @param others those of them that were not the lost one's
     */
    record Loss(KernelFlows after, int moved, int others) {}
}
