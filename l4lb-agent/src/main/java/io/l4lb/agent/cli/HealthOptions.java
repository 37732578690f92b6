// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.control.HealthRequest;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Whose health is meant. */
final class HealthOptions {
    @Parameters(paramLabel = "SERVICE", arity = "0..1", description = "Only reals of this service.")
    private String service = "";

    @Option(names = "--real", paramLabel = "ADDRESS", description = "Only this real.")
    private String real = "";

    @Option(names = "--vip", paramLabel = "ADDRESS", description = "Only by this VIP.")
    private String vip = "";

    /** @throws IllegalArgumentException an address is none */
    HealthRequest request() {
        return new HealthRequest(service, real, vip);
    }
}
