// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

/** Where the services of the measured configuration are, which {@link Configuration} writes. */
final class Vips {
    /** IP-in-IP to IPv4 reals, by TCP and by UDP, QUIC too. */
    static final String IPV4 = "192.0.2.10";
    /** To IPv6 reals. */
    static final String IPV4_TO_IPV6 = "192.0.2.11";
    /** In GUE. */
    static final String GUE = "192.0.2.12";
    /** To IPv6 reals. */
    static final String IPV6 = "2001:db8::10";
    /** Nobody's. */
    static final String NONE = "192.0.2.99";

    static final int TCP_PORT = 80;
    static final int UDP_PORT = 53;
    static final int QUIC_PORT = 443;

    private Vips() {}
}
