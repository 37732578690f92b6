// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import io.netty.util.NetUtil;
import java.net.InetAddress;

/** Addresses as people write them: dotted decimal, and IPv6 as RFC 5952 recommends. */
public final class IpText {
    private IpText() {}

    /** {@code 192.0.2.10}, {@code 2001:db8::10}. */
    public static String of(InetAddress address) {
        return NetUtil.toAddressString(address);
    }
}
