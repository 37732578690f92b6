// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.net.Inet4Address;
import java.util.ArrayList;
import java.util.List;

/** What becomes of full-size packets: the tunnel's headers come on top of what clients send. */
final class SizeAdvice {
    private static final int FULL = 1500;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int GUE = 8;
    private static final int TCP = 20;

    private SizeAdvice() {}

    static List<String> of(Facts.Device device, List<Facts.HostAddress> addresses) {
        boolean outer6 = addresses.stream()
                .anyMatch(each -> each.device().equals(device.name()) && !(each.address() instanceof Inet4Address));
        int outer = outer6 ? IPV6 : IPV4;
        int most = FULL + outer + GUE;
        List<String> advice = new ArrayList<>();
        advice.add("a client's packet of " + FULL + " bytes comes in with " + (FULL + outer) + " in IP-in-IP and with "
                + most + " in GUE" + (outer6 ? " over IPv6" : "") + "; replies go out as they are");
        if (device.mtu() >= most) {
            advice.add(device.name() + " takes them (MTU " + device.mtu()
                    + "); the whole way from the directors has to, at " + most + " bytes or more");
            return advice;
        }
        int room = Math.max(device.mtu(), 0) - outer - GUE;
        advice.add(device.name() + " has MTU " + device.mtu() + ". Best: MTU " + most
                + " or more here and on the whole way from the directors. Else tell clients to send less: 'advmss "
                + (room - IPV4 - TCP) + "' on this server's IPv4 default route and 'advmss " + (room - IPV6 - TCP)
                + "' on its IPv6 one; that helps TCP alone, the rest needs the directors'"
                + " too-big-answers (on by default). Their mss-clamp lowers only what this server sends");
        return advice;
    }
}
