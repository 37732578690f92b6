// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.packet;

/** Numbers of protocols that this package reads or writes (IANA, "Protocol Numbers"). */
public final class IpProtocol {
    public static final int ICMP = 1;
    /** An IPv4 packet inside of another packet. */
    public static final int IPV4 = 4;

    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int DCCP = 33;
    /** An IPv6 packet inside of another packet. */
    public static final int IPV6 = 41;

    public static final int ICMPV6 = 58;
    public static final int SCTP = 132;
    public static final int UDP_LITE = 136;

    static final int HOP_BY_HOP = 0;
    static final int ROUTING = 43;
    static final int FRAGMENT = 44;
    static final int DESTINATION_OPTIONS = 60;

    private IpProtocol() {}
}
