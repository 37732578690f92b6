// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.decision.Action;
import io.l4lb.hashing.decision.PacketDecision;
import java.net.InetAddress;
import java.util.Optional;

/**
 * What becomes of a packet with IPVS.
 *
 * @param fate what happens to it
 * @param service whose it is; empty: nobody's
 * @param flow its 5-tuple, of an ICMP error that of the flow that it is about; empty: it has none
 * @param hashKey what of it decides
 * @param choice where it goes, and why
 */
public record IpvsDecision(
        Fate fate, Optional<ServiceKey> service, Optional<FlowKey> flow, HashKey hashKey, Choice choice) {
    /** What can happen to a packet. */
    public enum Fate {
        FORWARD,
        ANSWER,
        PASS,
        DROP
    }

    /**
     * Where it goes.
     *
     * @param real empty: to none, or nobody knows before the kernel has decided
     * @param slot of the table that was asked; -1: none was
     * @param hash by which our table was asked; empty: it was not
     * @param reason in words
     * @param counted empty: nowhere
     */
    public record Choice(
            Optional<InetAddress> real, int slot, Optional<Long> hash, String reason, Optional<IpvsVerdict> counted) {
        static final int NO_SLOT = -1;

        /** For this reason it goes nowhere, or to where nobody knows. */
        static Choice nowhere(String reason) {
            return new Choice(Optional.empty(), NO_SLOT, Optional.empty(), reason, Optional.empty());
        }

        static Choice of(InetAddress real, String reason) {
            return new Choice(Optional.of(real), NO_SLOT, Optional.empty(), reason, Optional.of(IpvsVerdict.FORWARD));
        }

        Choice at(int found) {
            return new Choice(real, found, hash, reason, counted);
        }

        Choice hashed(Optional<Long> value) {
            return new Choice(real, slot, value, reason, counted);
        }

        Choice as(IpvsVerdict verdict) {
            return new Choice(real, slot, hash, reason, Optional.of(verdict));
        }

        Choice because(String words) {
            return new Choice(real, slot, hash, words, counted);
        }
    }

    /** One that IPVS does not come to see, or that no service wants. */
    static IpvsDecision without(PacketDecision model, Optional<ServiceKey> service) {
        Fate fate =
                switch (model.verdict()) {
                    case ANSWER_ECHO -> Fate.ANSWER;
                    case DROP_FRAGMENT -> Fate.PASS;
                    default -> model.verdict().action() == Action.DROP ? Fate.DROP : Fate.PASS;
                };
        String reason =
                switch (model.verdict()) {
                    case ANSWER_ECHO -> "it is an echo request to a VIP, which the director's kernel answers";
                    case PASS_FRAGMENT, DROP_FRAGMENT ->
                        "it is a fragment without ports: the kernel puts the packet together before IPVS sees it,"
                                + " and it goes where its first fragment says";
                    default -> model.verdict().reason();
                };
        return new IpvsDecision(fate, service, Optional.empty(), HashKey.FIVE_TUPLE, Choice.nowhere(reason));
    }
}
