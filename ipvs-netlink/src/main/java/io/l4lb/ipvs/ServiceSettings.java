// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * How a service balances.
 *
 * @param scheduler the kernel's name for it, 1 to 15 ASCII characters: rr, wrr, lc, wlc, lblc, lblcr, dh, sh, sed, nq, fo,
 *     ovf, mh, twos, or none; the kernel loads the module ip_vs_NAME by itself where it can
 * @param persistenceEngine the kernel's name for it, as scheduler; so far only sip (module ip_vs_pe_sip)
 */
public record ServiceSettings(
        String scheduler,
        Set<ServiceFlag> flags,
        Optional<Persistence> persistence,
        Optional<String> persistenceEngine) {
    private static final int NAME = 15;

    public ServiceSettings {
        checkName("scheduler", scheduler);
        persistenceEngine.ifPresent(name -> checkName("persistence engine", name));
        // In the enum's order, so that texts and wires are a function of the content.
        flags = ServiceFlag.of(ServiceFlag.bits(flags));
    }

    /** Without flags and persistence. */
    public static ServiceSettings of(String scheduler) {
        return new ServiceSettings(scheduler, Set.of(), Optional.empty(), Optional.empty());
    }

    private static void checkName(String what, String name) {
        if (name.isEmpty()
                || name.length() > NAME
                || name.indexOf('\0') >= 0
                || !StandardCharsets.US_ASCII.newEncoder().canEncode(name)) {
            throw new IllegalArgumentException(what + " '" + name + "' is not of 1 to " + NAME + " ASCII characters");
        }
    }
}
