// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.net.InetAddress;

/** What a line of the bridge can say; called by {@link ExaBgpLines}. */
interface LineHandler {
    void hello(Hello hello);

    void acknowledged(boolean done);

    void up(InetAddress neighbor);

    void down(InetAddress neighbor, String reason);

    /** An UPDATE that announces went out to the neighbor. */
    void sent(InetAddress neighbor, Route route);

    /** An UPDATE that withdraws went out to the neighbor. */
    void sentWithdraw(InetAddress neighbor, Prefix prefix);

    /** The end-of-RIB marker (RFC 4724, 2) went out: all that was known at the start of the session has been sent. */
    void sentEndOfRib(InetAddress neighbor);

    /** One route of ExaBGP's listing, which it holds for the neighbor; the attributes as ExaBGP prints them. */
    void listed(InetAddress neighbor, Route route, String attributes);
}
