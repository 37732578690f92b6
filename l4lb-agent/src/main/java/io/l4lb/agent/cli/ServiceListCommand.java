// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.IpvsadmView;
import io.l4lb.agent.status.ServiceView;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code l4lb service list}. */
@Command(
        name = "list",
        description = {
            "List the services.",
            "",
            "-o ipvsadm prints what the agent has in IPVS as the kernel has it now, for ipvsadm -R: the services of"
                    + " firewall marks too, by which probes find their real. Only with the dataplane ipvs."
        })
final class ServiceListCommand extends ClientCommand {
    ServiceListCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        if (OutputOption.format(spec()) == OutputOption.Format.IPVSADM) {
            read(get("/v1/ipvsadm", LONG_DEADLINE), IpvsadmView.class).rules().forEach(out()::println);
            return ExitCode.OK.code();
        }
        JsonNode answer = get("/v1/services");
        if (!printedAsJson(answer)) {
            Tables.services(List.of(read(answer, ServiceView[].class))).print(out());
        }
        return ExitCode.OK.code();
    }
}
