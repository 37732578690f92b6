// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** Octets that are sent as they are. */
public final class Octets {
    public static final Octets NONE = new Octets(new byte[0]);

    private final byte[] octets;

    private Octets(byte[] octets) {
        this.octets = octets;
    }

    /** The UTF-8 of a text. */
    public static Octets ofText(String text) {
        return new Octets(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Written as hexadecimal digits.
     *
     * @throws IllegalArgumentException if they are not an even number of these
     */
    public static Octets ofHex(String digits) {
        return new Octets(HexFormat.of().parseHex(digits));
    }

    public byte[] toArray() {
        return octets.clone();
    }

    public int length() {
        return octets.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Octets that && Arrays.equals(octets, that.octets);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(octets);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(octets);
    }
}
