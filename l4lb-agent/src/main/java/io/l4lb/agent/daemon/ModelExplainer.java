// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.IfDownView;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.Verdict;
import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.IpHeader;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Says what the packet model decides. */
final class ModelExplainer implements Explainer {
    private static final Set<Verdict> ANSWERS =
            EnumSet.of(Verdict.ANSWER_ECHO, Verdict.ANSWER_TOO_BIG, Verdict.ANSWER_PATH_MTU);

    private static final int MAC = 6;

    private final Dataplane dataplane;

    ModelExplainer(Dataplane dataplane) {
        this.dataplane = dataplane;
    }

    @Override
    public ExplainView explain(Outcome outcome, byte[] frame) {
        InstalledServices installed = destination(frame)
                .map(vip -> InstalledServices.at(vip, outcome, dataplane))
                .orElseGet(() -> new InstalledServices(Map.of()));
        PacketDecision decision = installed.decide(frame, dataplane);
        Optional<ServiceProgram> program = decision.service().flatMap(installed::program);
        Optional<DesiredService> desired = program.flatMap(found -> Explainer.desired(outcome, found.key()));
        boolean flow = decision.key().isPresent();
        return new ExplainView(
                verdict(decision.verdict()),
                desired.map(found -> found.service().name())
                        .or(() -> program.map(found -> found.key().toString()))
                        .orElse(""),
                real(decision, program),
                decision.slot().orElse(-1),
                flow ? "%016x".formatted(decision.hash().orElseThrow()) : "",
                nextHop(outcome, decision),
                reason(decision, program) + Unread.of(frame),
                decision.verdict().text(),
                flow ? decision.service().orElseThrow().key().key() : "",
                decision.key().map(FlowText::of).orElse(""),
                desired.flatMap(service -> loss(service, installed, decision))
                        .map(loss -> ifDown(frame, installed, loss))
                        .orElse(null));
    }

    private Optional<RealLoss> loss(DesiredService service, InstalledServices installed, PacketDecision decision) {
        return decision.real().flatMap(real -> decision.service()
                .flatMap(installed::program)
                .map(program ->
                        RealLoss.of(service, program, real, dataplane.settings().seed())));
    }

    private IfDownView ifDown(byte[] frame, InstalledServices installed, RealLoss loss) {
        InstalledServices left = installed.with(loss.after());
        PacketDecision decision = left.decide(frame, dataplane);
        Optional<ServiceProgram> program = decision.service().flatMap(left::program);
        return new IfDownView(
                real(decision, program),
                reason(decision, program),
                loss.moved(),
                loss.others(),
                loss.after().table().size());
    }

    private static Optional<InetAddress> destination(byte[] frame) {
        return Ethernet.read(frame)
                .flatMap(ethernet -> IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length))
                .map(IpHeader::destination);
    }

    private static String verdict(Verdict verdict) {
        return switch (verdict.action()) {
            case PASS -> "pass";
            case DROP -> "drop";
            case TRANSMIT -> ANSWERS.contains(verdict) ? "answer" : "forward";
        };
    }

    /** The model has no routes: where the kernel is asked for them, it takes for granted that there is one. */
    private static String nextHop(Outcome outcome, PacketDecision decision) {
        if (!verdict(decision.verdict()).equals("forward")) {
            return "";
        }
        return outcome.config().dataplane() instanceof XdpSection xdp && xdp.nextHop() == XdpSection.NextHop.FIB
                ? "asked of the kernel for each packet, which is dropped if it knows none"
                : HexFormat.ofDelimiter(":").formatHex(decision.frame(), 0, MAC);
    }

    private static String reason(PacketDecision decision, Optional<ServiceProgram> program) {
        boolean bySlot = decision.verdict() == Verdict.FORWARD_TABLE || decision.verdict() == Verdict.DROP_NO_REAL;
        if (!bySlot || program.isEmpty() || decision.slot().isEmpty()) {
            return decision.verdict().reason();
        }
        String real = real(decision, program);
        return decision.verdict().reason() + ": " + decision.slot().getAsInt() + " of "
                + program.get().table().size() + " names " + (real.isEmpty() ? "nobody" : real);
    }

    private static String real(PacketDecision decision, Optional<ServiceProgram> program) {
        return decision.real()
                .flatMap(identity -> program.stream()
                        .flatMap(found -> found.active().stream())
                        .filter(address -> Real.identity(address).equals(identity))
                        .findFirst())
                .map(IpText::of)
                .orElse("");
    }
}
