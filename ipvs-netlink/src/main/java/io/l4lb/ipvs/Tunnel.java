// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

/**
 * Packets go to the destination inside others.
 *
 * @param port UDP port of GUE, 1 to 65535 (in network byte order on the wire); 0 for the others
 */
public record Tunnel(TunnelType type, int port, TunnelChecksum checksum) implements ForwardingMethod {
    /** IP in IP, of whichever two families. */
    public static final Tunnel IPIP = new Tunnel(TunnelType.IPIP, 0, TunnelChecksum.NONE);

    public Tunnel {
        Endpoint.checkPort(port);
        if ((type == TunnelType.GUE) != (port != 0)) {
            throw new IllegalArgumentException("tunnel " + type + " with port " + port);
        }
    }

    public static Tunnel gue(int port, TunnelChecksum checksum) {
        return new Tunnel(TunnelType.GUE, port, checksum);
    }

    public static Tunnel gre(TunnelChecksum checksum) {
        return new Tunnel(TunnelType.GRE, 0, checksum);
    }
}
