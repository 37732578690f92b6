// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.realserver.Method;
import io.l4lb.agent.realserver.Prefix;
import io.l4lb.agent.realserver.RealServer;
import io.l4lb.agent.realserver.RealServerException;
import io.l4lb.agent.realserver.SetupRequest;
import io.l4lb.agent.realserver.Step;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** {@code l4lb real setup}. */
@Command(
        name = "setup",
        description = {
            "On a real: open the directors' tunnels (IP-in-IP and GUE) and hold the VIPs, on loopback and without"
                    + " answering ARP for them. Prints what it changes; run again, it changes only what is not right."
                    + " Nothing of it outlives a reboot: run it at every start.",
            "",
            "Ctrl-C and SIGTERM end it between two steps, and it undoes what it has done. Whatever else ends it, l4lb real"
                    + " teardown undoes what it had begun, and l4lb real setup completes it."
        })
final class RealSetupCommand extends RealServerCommand {
    @Option(
            names = "--vip",
            paramLabel = "ADDRESS",
            required = true,
            arity = "1..*",
            split = ",",
            converter = VipConverter.class,
            description = "The VIPs that this server serves: all of them, each time.")
    private List<InetAddress> vips = List.of();

    @Option(
            names = "--interface",
            paramLabel = "NAME",
            description = "Where tunnel packets come in. Default: where the default route leaves.")
    private @Nullable String interfaceName;

    @Option(
            names = "--method",
            paramLabel = "METHOD",
            defaultValue = "auto",
            converter = MethodConverter.class,
            description = "Who opens the tunnels: kernel (its ipip, sit, ip6tnl and fou), bpf (our program, Linux 6.6),"
                    + " auto (the kernel where it has them all). Default: ${DEFAULT-VALUE}.")
    private Method method = Method.AUTO;

    @Option(
            names = "--director-source",
            paramLabel = "PREFIX",
            arity = "1..*",
            split = ",",
            converter = PrefixConverter.class,
            description = "Outer source addresses of the directors; our program opens tunnels from nobody else."
                    + " Default: from everybody.")
    private List<Prefix> directorSources = List.of();

    @Option(
            names = "--pin-dir",
            paramLabel = "DIRECTORY",
            defaultValue = "/sys/fs/bpf/l4lb-real",
            description = "Where our program is kept, on a bpffs. Default: ${DEFAULT-VALUE}.")
    private Path pinDirectory = Path.of("");

    @Option(names = "--dry-run", description = "Change nothing; print what would be changed.")
    private boolean dryRun;

    /** As JSON. */
    private record Report(
            boolean dryRun, String interfaceName, String method, List<StepRow> steps, List<String> notes) {}

    /** Takes addresses that packets can be sent to from afar. */
    static final class VipConverter implements ITypeConverter<InetAddress> {
        @Override
        public InetAddress convert(String value) {
            InetAddress address = converted(() -> Prefix.address(value));
            if (address.isAnyLocalAddress()
                    || address.isLoopbackAddress()
                    || address.isMulticastAddress()
                    || address.isLinkLocalAddress()) {
                throw new TypeConversionException("\"" + value + "\" cannot be a VIP");
            }
            return address;
        }
    }

    static final class PrefixConverter implements ITypeConverter<Prefix> {
        @Override
        public Prefix convert(String value) {
            return converted(() -> Prefix.parse(value));
        }
    }

    static final class MethodConverter implements ITypeConverter<Method> {
        @Override
        public Method convert(String value) {
            return converted(() -> Method.parse(value));
        }
    }

    private static <T> T converted(Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(String.valueOf(e.getMessage()));
        }
    }

    RealSetupCommand(Function<Path, RealServer> servers) {
        super(servers);
    }

    @Override
    ExitCode run(RealServer server) {
        SetupRequest request = new SetupRequest(
                vips, Optional.ofNullable(interfaceName), method, directorSources, pinDirectory.toAbsolutePath());
        RealServer.Result result;
        try {
            result = server.setup(request, dryRun, this::tell);
        } catch (RealServerException e) {
            if (json()) {
                printJson(new Report(dryRun, "", "", rows(), e.problems()));
            }
            throw e;
        }
        if (json()) {
            printJson(new Report(dryRun, result.interfaceName(), result.method().text(), rows(), result.notes()));
        } else {
            print(result);
        }
        return ExitCode.OK;
    }

    private void print(RealServer.Result result) {
        result.notes().forEach(note -> out().println(Table.printable("note: " + note)));
        long changed = count(Step.Outcome.CHANGED) + count(Step.Outcome.RESTORED);
        out().println(Table.printable((dryRun ? "dry run: would change " : "changed ") + changed + ", right already "
                + count(Step.Outcome.UNCHANGED) + "; tunnels on " + result.interfaceName() + " opened by "
                + (result.method() == Method.KERNEL ? "the kernel" : "our program")));
        out().flush();
    }
}
