// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;

/** Says where the dataplane sends a packet, by the steps that it takes itself. For the reconcile thread alone. */
final class Explainer {
    private final HashSeed seed;
    private final Dataplane dataplane;

    Explainer(HashSeed seed, Dataplane dataplane) {
        this.seed = seed;
        this.dataplane = dataplane;
    }

    ExplainView explain(
            Outcome outcome, InetSocketAddress source, InetSocketAddress destination, int protocol, boolean syn) {
        Optional<DesiredService> service = Protocol.ofNumber(protocol).flatMap(found -> outcome.desired().stream()
                .filter(candidate ->
                        candidate.key().equals(new ServiceKey(destination.getAddress(), found, destination.getPort())))
                .findFirst());
        if (service.isEmpty()) {
            return new ExplainView("pass", "", "", -1, "", "no service has this VIP, protocol and port");
        }
        FlowKey flow = new FlowKey(
                source.getAddress(), source.getPort(), destination.getAddress(), destination.getPort(), protocol);
        Optional<InetAddress> remembered = syn ? Optional.empty() : dataplane.remembered(flow);
        return remembered.isPresent()
                ? new ExplainView(
                        "forward",
                        service.get().service().name(),
                        IpText.of(remembered.get()),
                        -1,
                        "%016x".formatted(hash(service.get(), flow)),
                        "the flow table remembers this flow")
                : byTable(service.get(), flow, syn && protocol == Protocol.TCP.number());
    }

    private long hash(DesiredService service, FlowKey flow) {
        return service.program().packetKey().hashKey().hashed(flow).hash(seed);
    }

    private ExplainView byTable(DesiredService service, FlowKey flow, boolean syn) {
        LookupTable table = service.program().table();
        long hash = hash(service, flow);
        int slot = LookupTable.slotOf(hash, table.size());
        String name = service.service().name();
        String text = "%016x".formatted(hash);
        int real = table.slot(slot);
        if (real == LookupTable.NO_REAL) {
            return new ExplainView("drop", name, "", slot, text, "its slot names nobody: no real is up");
        }
        String identity = table.reals().get(real).identity();
        InetAddress address = service.service().reals().stream()
                .filter(candidate -> candidate.identity().equals(identity))
                .findFirst()
                .orElseThrow()
                .address();
        String why = syn ? "a SYN always goes by its slot" : "no flow is remembered, so it goes by its slot";
        return new ExplainView(
                "forward",
                name,
                IpText.of(address),
                slot,
                text,
                why + ": " + slot + " of " + table.size() + " names " + IpText.of(address));
    }
}
