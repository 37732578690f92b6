// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.AgentSection.Dataplane;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.IpText;
import io.l4lb.healthcheck.check.IcmpCheck;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a service asks for that one dataplane has and the other has not.
 *
 * @param notInXdp each with its place and, as its value, why the XDP dataplane cannot do it
 * @param notInIpvs the same of IPVS
 */
record Suitability(List<Located<String>> notInXdp, List<Located<String>> notInIpvs) {
    /** Of what runs already. */
    static final Suitability FINE = new Suitability(List.of(), List.of());

    Suitability {
        notInXdp = List.copyOf(notInXdp);
        notInIpvs = List.copyOf(notInIpvs);
    }

    /** The same, and what the families of a service's addresses are in the way of: only a tunnel carries another family. */
    Suitability withFamilies(List<Located<InetAddress>> vips, List<Located<InetAddress>> reals, Forwarding forwarding) {
        if (forwarding.isTunnel()) {
            return this;
        }
        List<Located<String>> more = new ArrayList<>(notInIpvs);
        for (Located<InetAddress> real : reals) {
            vips.stream()
                    .filter(vip ->
                            vip.value().getAddress().length != real.value().getAddress().length)
                    .findFirst()
                    .ifPresent(vip -> more.add(new Located<>(
                            "is of another family than VIP " + IpText.of(vip.value()) + " (line " + vip.line()
                                    + "), which forwarding " + Shown.quoted(forwarding.key())
                                    + " cannot change; a tunnel can",
                            real.line(),
                            real.key())));
        }
        return new Suitability(notInXdp, more);
    }

    /** The same, and what IPVS cannot send to one real: it schedules TCP, UDP and SCTP (net/netfilter/ipvs/ip_vs_proto.c). */
    Suitability withCheck(Optional<Table> table, Optional<HealthCheck> check) {
        boolean echo = check.filter(known ->
                        known.check() instanceof IcmpCheck && known.way().via() == HealthCheck.Via.TUNNEL)
                .isPresent();
        if (!echo) {
            return this;
        }
        List<Located<String>> more = new ArrayList<>(notInIpvs);
        table.ifPresent(keys -> more.add(keys.located(
                "type", "\"icmp\" needs via = \"direct\": IPVS does not forward an echo request to one of the reals")));
        return new Suitability(notInXdp, more);
    }

    /** Reports services that the dataplane cannot serve. */
    static void refuse(LoadedFile file, Dataplane dataplane) {
        for (ServiceDraft service : file.services()) {
            Suitability suitability = service.delivery().suitability();
            for (Located<String> refused : suitability.refusals(dataplane)) {
                file.problems().add(refused.line(), refused.key(), refused.value());
            }
        }
    }

    private List<Located<String>> refusals(Dataplane dataplane) {
        return switch (dataplane) {
            case XDP -> notInXdp;
            case IPVS -> notInIpvs;
        };
    }
}
