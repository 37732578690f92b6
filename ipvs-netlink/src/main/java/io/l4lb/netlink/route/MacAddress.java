// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.route;

import io.l4lb.netlink.Octets;
import java.util.HexFormat;
import java.util.Optional;

/** An Ethernet address of 6 octets; its text form is {@code 02:00:5e:10:00:01}. */
public record MacAddress(Octets octets) {
    private static final int LENGTH = 6;
    private static final HexFormat COLONS = HexFormat.ofDelimiter(":");

    public MacAddress {
        if (octets.length() != LENGTH) {
            throw new IllegalArgumentException("a MAC address of " + octets.length() + " octets");
        }
    }

    /**
     * Reads the text form.
     *
     * @throws IllegalArgumentException if the text is not six pairs of hex digits with colons
     */
    public static MacAddress parse(String text) {
        return new MacAddress(Octets.of(COLONS.parseHex(text)));
    }

    /** Empty for link layers other than Ethernet, whose addresses have other lengths. */
    static Optional<MacAddress> of(Octets linkLayerAddress) {
        return linkLayerAddress.length() == LENGTH ? Optional.of(new MacAddress(linkLayerAddress)) : Optional.empty();
    }

    /** The 6 octets in the order they are sent. */
    public byte[] toBytes() {
        return octets.toArray();
    }

    @Override
    public String toString() {
        return COLONS.formatHex(octets.toArray());
    }
}
