// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * One change of what a neighbor is told.
 *
 * @param route null: withdraw
 */
record Operation(Prefix prefix, @Nullable Route route) {
    static Operation announce(Route route) {
        return new Operation(route.prefix(), route);
    }

    static Operation withdraw(Prefix prefix) {
        return new Operation(prefix, null);
    }

    /** The command line, without its line feed. */
    String command(InetAddress neighbor) {
        String target = "neighbor " + IpLiteral.text(neighbor);
        return route == null
                ? target + " withdraw route " + prefix
                : target + " announce route " + prefix + " " + attributes(route);
    }

    /** Exactly as ExaBGP's own listing prints them, so that the two can be compared. */
    static String attributes(Route route) {
        Long med = route.med();
        return med == null ? "next-hop self" : "next-hop self med " + med;
    }
}
