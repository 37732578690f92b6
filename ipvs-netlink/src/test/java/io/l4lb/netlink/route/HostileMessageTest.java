// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.Octets;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever the payload, a decoder returns or says EBADMSG. */
class HostileMessageTest {
    private static final List<Consumer<NetlinkMessage>> DECODERS = List.of(
            Route::decode,
            RouteHop::decode,
            LocalRoute::decode,
            Neighbor::decode,
            Neighbor::decodeKept,
            Netconf::forwarding,
            Link::decode,
            Link::decodeVlanParent,
            message -> InterfaceAddress.decode(message, AddressFamily.INET, 0));
    /** Headers of zeros, then one attribute of every type that is looked at, each too short for its meaning. */
    private static final Octets SHORT_ATTRIBUTES = shortAttributes();

    @Property
    void anyPayload(@ForAll byte[] payload) {
        decode(Octets.of(payload));
    }

    @Property
    void truncatedAnywhere(@ForAll("lengths") int length) {
        decode(SHORT_ATTRIBUTES.slice(0, length));
    }

    @Provide
    Arbitrary<Integer> lengths() {
        return Arbitraries.integers().between(0, SHORT_ATTRIBUTES.length());
    }

    private static void decode(Octets payload) {
        for (Consumer<NetlinkMessage> decoder : DECODERS) {
            try {
                decoder.accept(new NetlinkMessage(0, 0, 1, 0, payload));
            } catch (NetlinkException malformed) {
                assertEquals("EBADMSG", malformed.errno());
            }
        }
    }

    private static Octets shortAttributes() {
        Octets octets = Octets.of(new byte[16]);
        for (int type = 1; type < 20; type++) {
            octets = octets.plus(Octets.fromHex("0500%02x0001000000".formatted(type)));
        }
        return octets;
    }
}
