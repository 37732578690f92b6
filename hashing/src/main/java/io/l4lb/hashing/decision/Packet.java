// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.Fragment;
import io.l4lb.hashing.packet.IcmpHeader;
import io.l4lb.hashing.packet.IpHeader;
import io.l4lb.hashing.packet.Ports;
import java.net.InetAddress;
import java.util.Optional;

/** Step 1: what is read of a frame. Nothing is judged yet, the packet may be none of ours. */
final class Packet {
    private final byte[] frame;
    private final Ethernet ethernet;
    private final IpHeader ip;

    private Packet(byte[] frame, Ethernet ethernet, IpHeader ip) {
        this.frame = frame;
        this.ethernet = ethernet;
        this.ip = ip;
    }

    /** Empty if it is not IP, or the frame ends within the Ethernet header or the fixed IP header or its options. */
    static Optional<Packet> read(byte[] frame) {
        return Ethernet.read(frame)
                .flatMap(ethernet -> IpHeader.read(frame, ethernet.type(), ethernet.length(), frame.length)
                        .map(ip -> new Packet(frame, ethernet, ip)));
    }

    /** All of it, with what may stand behind the packet. Not to be changed. */
    byte[] frame() {
        return frame;
    }

    Ethernet ethernet() {
        return ethernet;
    }

    IpHeader ip() {
        return ip;
    }

    InetAddress vip() {
        return ip.destination();
    }

    /** Bytes of the frame from the IP header on. */
    int available() {
        return frame.length - ip.at();
    }

    /** Bytes that the IP header leaves to the transport protocol; negative if it contradicts itself. */
    int transportLength() {
        return ip.totalLength() - (ip.transportAt() - ip.at());
    }

    /** Where the packet ends: by its header, but not behind the frame. */
    int end() {
        return Math.min(ip.at() + ip.totalLength(), frame.length);
    }

    boolean isFragment() {
        return ip.fragment().isPresent();
    }

    /** A fragment that is not the first: it begins anywhere, there are no ports. */
    boolean isLaterFragment() {
        return ip.fragment().filter(fragment -> !fragment.isFirst()).isPresent();
    }

    /** Of a fragment: what it has in common with the others. */
    Optional<FragmentKey> fragmentKey() {
        return ip.fragment().map(this::keyOf);
    }

    private FragmentKey keyOf(Fragment fragment) {
        return new FragmentKey(ip.source(), ip.destination(), fragment.protocol(), fragment.id());
    }

    /** The ports, 0 for a protocol without; empty if the frame ends before them. */
    Optional<Ports> ports() {
        return Ports.read(frame, ip.protocol(), ip.transportAt(), frame.length);
    }

    /** The header of a whole ICMP message. */
    Optional<IcmpHeader> icmp() {
        boolean whole = ip.isComplete() && !isFragment();
        return whole ? IcmpHeader.read(frame, ip, end()) : Optional.empty();
    }

    /** The packet's own key. Only for packets that are not malformed. */
    FlowKey fiveTuple(Ports ports) {
        return new FlowKey(ip.source(), ports.source(), ip.destination(), ports.destination(), ip.protocol());
    }

    /** Whether an answer may be sent to the source. */
    boolean canBeAnswered() {
        return canBeAnswered(ip.source());
    }

    /** Whether it names one host (RFC 1122, 3.2.2; RFC 4443, 2.4 (e)). */
    static boolean canBeAnswered(InetAddress source) {
        boolean broadcast = source.getAddress().length == 4 && (source.getAddress()[0] & 0xf0) == 0xf0;
        return !(broadcast || source.isMulticastAddress() || source.isAnyLocalAddress() || source.isLoopbackAddress());
    }
}
