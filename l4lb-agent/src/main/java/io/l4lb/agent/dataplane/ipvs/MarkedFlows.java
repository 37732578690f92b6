// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ModelServices;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Fate;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.decision.Memory;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.Settings;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * New flows of a service whose packets our program marks: as the packet model has them, without its flow table, since IPVS
 * has one.
 *
 * @param marked the reals that packets find by a mark
 */
record MarkedFlows(ServiceProgram program, Settings settings, Set<InetAddress> marked) implements NewFlows {
    @Override
    public HashKey hashKey() {
        return program.packetKey().hashKey();
    }

    @Override
    public Choice choose(byte[] frame, FlowKey flow) {
        PacketDecision decision = new PacketModel(
                        ModelServices.of(List.of(program)), settings, Memory.none(), Memory.none())
                .decide(frame);
        Optional<InetAddress> real = decision.real().flatMap(this::address);
        Optional<Long> hash =
                decision.hash().isPresent() ? Optional.of(decision.hash().getAsLong()) : Optional.empty();
        if (decision.slot().isEmpty()) {
            return real.map(address -> Choice.of(address, decision.verdict().reason()))
                    .orElseGet(() -> Choice.nowhere(decision.verdict().reason()))
                    .hashed(hash);
        }
        int slot = decision.slot().getAsInt();
        String names = ": " + slot + " of " + program.table().size() + " names ";
        return real.map(address -> Choice.of(
                        address,
                        "IPVS has no connection of it, or it begins one, so it is marked by its slot" + names
                                + IpText.of(address)))
                .orElseGet(() -> Choice.nowhere(IpvsVerdict.PASS_NO_REAL.reason() + names + "nobody")
                        .as(IpvsVerdict.PASS_NO_REAL))
                .at(slot)
                .hashed(hash);
    }

    private Optional<InetAddress> address(String identity) {
        return program.active().stream()
                .filter(real -> Real.identity(real).equals(identity))
                .findFirst();
    }

    @Override
    public Fate withoutReal() {
        return Fate.PASS;
    }

    @Override
    public boolean isKernels() {
        return false;
    }

    /** The destination of a mark has weight 1 as long as it is there; of a real that is down it is not. */
    @Override
    public boolean keeps(InetAddress real, boolean begins) {
        return marked.contains(real);
    }
}
