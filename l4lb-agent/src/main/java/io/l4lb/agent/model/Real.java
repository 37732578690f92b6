// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.net.InetAddress;

/**
 * A backend server of a service.
 *
 * @param address where the tunnel to it ends
 * @param weight share of new flows relative to the service's other reals; 0: drained
 */
public record Real(InetAddress address, int weight) {
    /** The largest weight that the configuration takes. */
    public static final int MAX_WEIGHT = 65535;

    /** The identity that survives reloads, and by which all directors order their reals alike. */
    public String identity() {
        return identity(address);
    }

    /** The identity of the real at an address. */
    public static String identity(InetAddress address) {
        return address.getHostAddress();
    }
}
