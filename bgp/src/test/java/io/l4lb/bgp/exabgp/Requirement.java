// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;

/** What a test needs of the machine: skipped with a reason without it, failed if {@code -Dl4lb.require} names it. */
final class Requirement {
    private Requirement() {}

    static void check(String capability, boolean available, String reason) {
        String required = System.getProperty("l4lb.require", "");
        if (Arrays.asList(required.split(",", -1)).contains(capability)) {
            assertTrue(available, capability + " is required here: " + reason);
        }
        assumeTrue(available, reason);
    }
}
