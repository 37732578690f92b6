// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.model;

import java.nio.file.Path;

/**
 * The {@code [xdp]} table.
 *
 * @param interfaceName where traffic comes in and leaves again ({@code interfaces}, of which there is one so far)
 * @param mtu largest packet, outer IP header included, that the way to the reals carries, in bytes
 * @param flowTableSize entries of the flow table
 */
public record XdpSection(String interfaceName, Mode mode, NextHop nextHop, Path pinDir, int mtu, int flowTableSize) {
    /** How the XDP program is attached. */
    public enum Mode {
        /** In the driver; where the driver cannot, in the network stack, which is said loudly. */
        AUTO("auto"),
        NATIVE("native"),
        GENERIC("generic");

        private final String key;

        Mode(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }

    /** Who tells where an encapsulated packet goes next. */
    public enum NextHop {
        /** The gateway of the route to the reals, by its MAC, from the kernel's neighbour table. */
        GATEWAY("gateway");

        private final String key;

        NextHop(String key) {
            this.key = key;
        }

        /** As written in the configuration. */
        public String key() {
            return key;
        }
    }
}
