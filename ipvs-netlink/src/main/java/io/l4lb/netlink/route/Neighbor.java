// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import java.net.InetAddress;
import java.util.Optional;

/** A neighbour whose link-layer address may be used (struct ndmsg, include/uapi/linux/neighbour.h). */
public record Neighbor(InetAddress address, MacAddress mac, State state) {
    static final int NEW = 28;
    static final int GET = 30;

    private static final int HEADER = 12;
    private static final int HEADER_INTERFACE = 4;
    private static final int HEADER_STATE = 8;
    private static final int NDA_DST = 1;
    private static final int NDA_LLADDR = 2;
    private static final int NDA_PROTOCOL = 12;
    private static final int NDA_FLAGS_EXT = 15;
    private static final int NTF_USE = 0x01;
    private static final int NTF_EXT_MANAGED = 0x1;
    /** Who had an entry kept; a number that nobody else uses, as {@code ip -d neigh} shows it. */
    private static final int PROTOCOL = 76;

    /** The kernel's NUD_ states in which the address it knows is good to send to. */
    public enum State {
        REACHABLE(0x02),
        STALE(0x04),
        DELAY(0x08),
        PROBE(0x10),
        NOARP(0x40),
        PERMANENT(0x80);

        private final int bit;

        State(int bit) {
            this.bit = bit;
        }

        /** It was configured: the kernel neither asks for it nor lets it age. */
        public boolean isStatic() {
            return this == NOARP || this == PERMANENT;
        }

        private static Optional<State> of(int bits) {
            for (State state : values()) {
                if ((bits & state.bit) != 0) {
                    return Optional.of(state);
                }
            }
            return Optional.empty();
        }
    }

    static Octets query(int interfaceIndex, InetAddress address) {
        return header(interfaceIndex, address, 0);
    }

    /** Asks the kernel to use the entry as if it had a packet to send, thus to find out its address. */
    static Octets use(int interfaceIndex, InetAddress address) {
        return header(interfaceIndex, address, NTF_USE);
    }

    /**
     * The same, and that the kernel goes on doing so every few seconds. Kernels before 5.16 do not know the flag and only
     * use the entry.
     */
    static Octets keep(int interfaceIndex, InetAddress address) {
        return use(interfaceIndex, address)
                .plus(new AttributeWriter()
                        .u8(NDA_PROTOCOL, PROTOCOL)
                        .u32Host(NDA_FLAGS_EXT, NTF_EXT_MANAGED)
                        .toOctets());
    }

    static Octets queryAll(AddressFamily family) {
        return new OctetsWriter().u8(family.number()).zeros(HEADER - 1).toOctets();
    }

    /** Whether the kernel keeps the entry, whoever asked it to. */
    static boolean isManaged(NetlinkMessage message) {
        return AttributeReader.of(message.payload().from(HEADER))
                .find(NDA_FLAGS_EXT)
                .filter(flags -> (flags.i32Host(0) & NTF_EXT_MANAGED) != 0)
                .isPresent();
    }

    /** Empty unless the entry is kept, and that because of {@link #keep}. */
    static Optional<KeptNeighbor> decodeKept(NetlinkMessage message) {
        AttributeReader attributes = AttributeReader.of(message.payload().from(HEADER));
        boolean ours = attributes
                .find(NDA_PROTOCOL)
                .filter(protocol -> protocol.u8(0) == PROTOCOL)
                .isPresent();
        return ours && isManaged(message)
                ? Optional.of(new KeptNeighbor(
                        message.payload().i32Host(HEADER_INTERFACE),
                        attributes.require(NDA_DST, "NDA_DST").toAddress()))
                : Optional.empty();
    }

    /** Empty for an entry that is incomplete, has failed, or has no Ethernet address. */
    static Optional<Neighbor> decode(NetlinkMessage message) {
        Octets payload = message.payload();
        Optional<State> state = State.of(payload.u16Host(HEADER_STATE));
        AttributeReader attributes = AttributeReader.of(payload.from(HEADER));
        InetAddress address = attributes.require(NDA_DST, "NDA_DST").toAddress();
        Optional<MacAddress> mac = attributes.find(NDA_LLADDR).flatMap(MacAddress::of);
        return state.flatMap(usable -> mac.map(known -> new Neighbor(address, known, usable)));
    }

    private static Octets header(int interfaceIndex, InetAddress address, int flags) {
        return new OctetsWriter()
                .u8(AddressFamily.of(address).number())
                .zeros(3)
                .u32Host(interfaceIndex)
                .u16Host(0)
                .u8(flags)
                .zeros(1)
                .octets(new AttributeWriter().address(NDA_DST, address).toOctets())
                .toOctets();
    }
}
