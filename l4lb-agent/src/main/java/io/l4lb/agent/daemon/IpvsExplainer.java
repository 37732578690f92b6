// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ipvs.IpvsDataplane;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Choice;
import io.l4lb.agent.dataplane.ipvs.IpvsDecision.Fate;
import io.l4lb.agent.dataplane.ipvs.IpvsLoss;
import io.l4lb.agent.dataplane.ipvs.IpvsPackets;
import io.l4lb.agent.dataplane.ipvs.IpvsVerdict;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.IfDownView;
import java.net.InetAddress;
import java.util.Locale;
import java.util.Optional;

/** Says what IPVS does. */
final class IpvsExplainer implements Explainer {
    private final IpvsDataplane dataplane;

    IpvsExplainer(IpvsDataplane dataplane) {
        this.dataplane = dataplane;
    }

    @Override
    public ExplainView explain(Outcome outcome, byte[] frame) {
        IpvsPackets packets = dataplane.packets(outcome.observed().keySet());
        IpvsDecision decision = packets.decide(frame);
        Optional<DesiredService> desired = decision.service().flatMap(key -> Explainer.desired(outcome, key));
        Choice choice = decision.choice();
        return new ExplainView(
                decision.fate().name().toLowerCase(Locale.ROOT),
                desired.map(found -> found.service().name())
                        .or(() -> decision.service().map(ServiceKey::toString))
                        .orElse(""),
                text(choice.real()),
                choice.slot(),
                choice.hash().map("%016x"::formatted).orElse(""),
                decision.fate() == Fate.FORWARD ? "as the kernel's routes and neighbours say" : "",
                choice.reason() + Unread.of(frame),
                choice.counted().map(IpvsVerdict::text).orElse(""),
                decision.flow().map(flow -> decision.hashKey().key()).orElse(""),
                decision.flow()
                        .map(flow -> FlowText.of(decision.hashKey().hashed(flow)))
                        .orElse(""),
                choice.real()
                        .flatMap(real -> loss(packets, frame, decision, desired))
                        .map(IpvsExplainer::view)
                        .orElse(null));
    }

    private Optional<IpvsLoss> loss(
            IpvsPackets packets, byte[] frame, IpvsDecision decision, Optional<DesiredService> desired) {
        InetAddress lost = decision.choice().real().orElseThrow();
        return packets.loss(frame, decision)
                .or(() -> desired.flatMap(service -> packets.marked(service.key())
                        .map(installed -> RealLoss.of(
                                service,
                                installed,
                                Real.identity(lost),
                                dataplane.settings().seed()))
                        .map(loss -> new IpvsLoss(
                                packets.decide(frame, decision, loss.after(), lost)
                                        .choice(),
                                loss.moved(),
                                loss.others(),
                                loss.after().table().size()))));
    }

    private static IfDownView view(IpvsLoss loss) {
        return new IfDownView(
                text(loss.choice().real()), loss.choice().reason(), loss.moved(), loss.others(), loss.tableSize());
    }

    private static String text(Optional<InetAddress> real) {
        return real.map(IpText::of).orElse("");
    }
}
