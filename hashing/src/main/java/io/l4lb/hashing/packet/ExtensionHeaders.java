// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The chain between an IPv6 header and the transport protocol: hop-by-hop options, routing, destination options and
 * fragment headers (RFC 8200, 4), in any order. Everything else, ESP and AH too, counts as transport protocol.
 *
 * <p>At most {@value #MAX} of them: a chain must be walked in a bounded number of steps. Behind the header of a later
 * fragment there is data and no further header.
 */
final class ExtensionHeaders {
    /** How many are followed. */
    static final int MAX = 8;

    private static final int MIN_BYTES = 8;
    private static final int LENGTH_AT = 1;
    private static final int OFFSET_AT = 2;
    private static final int ID_AT = 4;
    private static final int OFFSET_MASK = 0xfff8;
    private static final int MORE_FRAGMENTS = 1;

    private int protocol;
    private int end;
    private boolean complete;
    private boolean routed;
    private @Nullable Fragment fragment;

    private ExtensionHeaders(int protocol, int end) {
        this.protocol = protocol;
        this.end = end;
    }

    /**
     * Follows the chain.
     *
     * @param first number of the header at {@code at}
     * @param to where the bytes end that may be read
     */
    static ExtensionHeaders read(byte[] bytes, int first, int at, int to) {
        ExtensionHeaders chain = new ExtensionHeaders(first, at);
        for (int count = 0; count < MAX && chain.mayGoOn(); count++) {
            if (!chain.step(bytes, to)) {
                return chain;
            }
        }
        chain.complete = !chain.mayGoOn();
        return chain;
    }

    private boolean mayGoOn() {
        if (fragment != null && !fragment.isFirst()) {
            return false;
        }
        return switch (protocol) {
            case IpProtocol.HOP_BY_HOP, IpProtocol.ROUTING, IpProtocol.DESTINATION_OPTIONS, IpProtocol.FRAGMENT -> true;
            default -> false;
        };
    }

    /** False if the header is not whole. */
    private boolean step(byte[] bytes, int to) {
        if (to - end < MIN_BYTES) {
            return false;
        }
        boolean isFragment = protocol == IpProtocol.FRAGMENT;
        int length = isFragment ? MIN_BYTES : (NetworkOrder.u8(bytes, end + LENGTH_AT) + 1) * MIN_BYTES;
        if (length > to - end) {
            return false;
        }
        int next = NetworkOrder.u8(bytes, end);
        if (isFragment) {
            readFragment(bytes, next);
        }
        routed |= protocol == IpProtocol.ROUTING;
        protocol = next;
        end += length;
        return true;
    }

    /** An atomic fragment, the first and last in one, is a whole packet (RFC 6946). */
    private void readFragment(byte[] bytes, int next) {
        int field = NetworkOrder.u16(bytes, end + OFFSET_AT);
        if ((field & (OFFSET_MASK | MORE_FRAGMENTS)) != 0) {
            fragment = new Fragment(NetworkOrder.u32(bytes, end + ID_AT), field & OFFSET_MASK, next);
        }
    }

    int protocol() {
        return protocol;
    }

    /** Where what follows begins. */
    int end() {
        return end;
    }

    /** Whether a routing header is among them. */
    boolean isRouted() {
        return routed;
    }

    boolean isComplete() {
        return complete;
    }

    Optional<Fragment> fragment() {
        return Optional.ofNullable(fragment);
    }
}
