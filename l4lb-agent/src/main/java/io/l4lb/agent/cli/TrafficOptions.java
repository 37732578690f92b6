// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.control.Selection;
import picocli.CommandLine.Option;

/** Which traffic a command is about. */
final class TrafficOptions {
    @Option(names = "--service", paramLabel = "NAME", description = "Only of this service.")
    private String service = "";

    @Option(names = "--vip", paramLabel = "ADDRESS", description = "Only to this VIP.")
    private String vip = "";

    @Option(
            names = "--source",
            paramLabel = "ADDRESS[/LENGTH]",
            description = "Only from these clients: 10.1.0.2, 10.1.0.0/16, 2001:db8::/32.")
    private String source = "";

    /**
     * The same for the agent.
     *
     * @throws IllegalArgumentException an address is none
     */
    Selection selection() {
        return new Selection(service, vip, source);
    }
}
