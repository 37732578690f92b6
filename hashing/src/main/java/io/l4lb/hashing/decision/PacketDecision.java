// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What becomes of one packet, and why. */
public final class PacketDecision {
    private static final byte[] NOTHING = {};

    private final Verdict verdict;
    private final @Nullable Service service;
    private final @Nullable Flow flow;
    private final @Nullable Choice choice;
    private final byte[] frame;

    private PacketDecision(
            Verdict verdict, @Nullable Service service, @Nullable Flow flow, @Nullable Choice choice, byte[] frame) {
        this.verdict = verdict;
        this.service = service;
        this.flow = flow;
        this.choice = choice;
        this.frame = frame;
    }

    /** Nobody's packet. */
    static PacketDecision of(Verdict verdict) {
        return new PacketDecision(verdict, null, null, null, NOTHING);
    }

    /** A packet of a service whose flow cannot be told. */
    static PacketDecision of(Verdict verdict, Service service) {
        return new PacketDecision(verdict, service, null, null, NOTHING);
    }

    /** A packet that does not leave although its flow is known. */
    static PacketDecision of(Verdict verdict, Flow flow, Choice choice) {
        return new PacketDecision(verdict, flow.service(), flow, choice, NOTHING);
    }

    /** The packet goes to its real. */
    static PacketDecision forwarded(Flow flow, Choice choice, byte[] frame) {
        return new PacketDecision(choice.verdict(), flow.service(), flow, choice, frame);
    }

    /** The director answers a packet that would have gone to a real. */
    static PacketDecision answered(Verdict verdict, Flow flow, Choice choice, byte[] frame) {
        return new PacketDecision(verdict, flow.service(), flow, choice, frame);
    }

    /** The director answers a packet to itself. */
    static PacketDecision answered(Verdict verdict, byte[] frame) {
        return new PacketDecision(verdict, null, null, null, frame);
    }

    /** What becomes of it, and why. */
    public Verdict verdict() {
        return verdict;
    }

    /** Whose packet it is, if it is a service's. */
    public Optional<Service> service() {
        return Optional.ofNullable(service);
    }

    /** Identity of the real that was found for it, even if it does not get there. */
    public Optional<String> real() {
        return Optional.ofNullable(choice).map(Choice::real);
    }

    /** The slot, if the lookup table was asked. */
    public OptionalInt slot() {
        Integer slot = choice == null ? null : choice.slot();
        return slot == null ? OptionalInt.empty() : OptionalInt.of(slot);
    }

    /**
     * The flow key: what the flow table is asked for and what is hashed. For a QUIC packet with a server ID the 5-tuple;
     * for a fragment that follows its first the 3-tuple.
     */
    public Optional<FlowKey> key() {
        return Optional.ofNullable(flow).map(Flow::key);
    }

    /** The flow hash of {@link #key()}, by which the slot is found and the outer source varies. */
    public OptionalLong hash() {
        return flow == null ? OptionalLong.empty() : OptionalLong.of(flow.hash());
    }

    /** The frame that leaves, a copy; empty unless the action is {@link Action#TRANSMIT}. */
    public byte[] frame() {
        return frame.clone();
    }

    @Override
    public String toString() {
        return "PacketDecision[" + verdict + ", service " + service().map(Service::name) + ", real " + real()
                + ", slot " + slot() + ", key " + key() + ", " + frame.length + " bytes]";
    }
}
