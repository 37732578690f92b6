// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.control.ControlException;
import io.l4lb.agent.realserver.RealServer;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The {@code l4lb} command and all below it. */
public final class L4lbCommand {
    private static final int HELP_WIDTH = 100;

    private L4lbCommand() {}

    /** Runs one command line with the process's output; returns its exit code, see {@link ExitCode}. */
    public static int run(Program program, String... arguments) {
        String encoding = System.getProperty("stdout.encoding", System.getProperty("native.encoding"));
        Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
        PrintWriter out = new PrintWriter(program.foreground().out(), true, charset);
        CommandLine line = commandLine(program).setOut(out);
        try {
            return line.execute(arguments);
        } catch (OutOfMemoryError e) {
            complain(line.getErr(), "l4lb", "this takes more memory than there is");
            return ExitCode.REFUSED.code();
        }
    }

    /** All the commands, for running them, and for whatever is generated from them. */
    public static CommandLine commandLine(Program program) {
        CommandLine line = client(group("l4lb", "Layer-4 load balancer: the agent, and the commands that operate it."))
                .addSubcommand(new AgentCommand(program))
                .addSubcommand(client(new CommandLine(new StatusCommand(program))))
                .addSubcommand(client(group("service", "Look at services."))
                        .addSubcommand(ipvsadmClient(new CommandLine(new ServiceListCommand(program))))
                        .addSubcommand(client(new CommandLine(new ServiceShowCommand(program)))))
                .addSubcommand(client(group("real", "Look at reals; on a real itself, make it one."))
                        .addSubcommand(client(new CommandLine(new RealListCommand(program))))
                        .addSubcommand(printer(new CommandLine(new RealSetupCommand(stoppable(program)))))
                        .addSubcommand(printer(new CommandLine(new RealTeardownCommand(stoppable(program)))))
                        .addSubcommand(printer(
                                new CommandLine(new RealStatusCommand(state -> RealServer.here(state, () -> false))))))
                .addSubcommand(client(group("health", "Look at the health of reals, and decide on it."))
                        .addSubcommand(client(new CommandLine(new HealthShowCommand(program))))
                        .addSubcommand(client(new CommandLine(new HealthHistoryCommand(program))))
                        .addSubcommand(client(new CommandLine(new HealthProbeCommand(program))))
                        .addSubcommand(client(new CommandLine(new HealthAcceptCommand(program)))))
                .addSubcommand(client(group("config", "Work with configuration files."))
                        .addSubcommand(printer(new CommandLine(new ConfigCheckCommand(program))))
                        .addSubcommand(client(new CommandLine(new ConfigDiffCommand(program)))))
                .addSubcommand(printer(group("table", "Look at lookup tables."))
                        .addSubcommand(printer(new CommandLine(new TableSimulateCommand(program)))))
                .addSubcommand(client(new CommandLine(new ReloadCommand(program))))
                .addSubcommand(client(new CommandLine(new ExplainCommand(program))))
                .addSubcommand(client(new CommandLine(new StatsCommand(program))))
                .addSubcommand(client(new CommandLine(new FlowsCommand(program))))
                .addSubcommand(client(new CommandLine(new CaptureCommand(program))));
        line.getCommandSpec()
                .version("l4lb " + program.version())
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("Print the version and exit.")
                        .build());
        describe(line);
        line.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
        line.setUsageHelpWidth(HELP_WIDTH);
        // "table" is a format and a command: l4lb -o table status.
        line.setAllowSubcommandsAsOptionParameters(true);
        line.setExecutionStrategy(
                parsed -> runAndWrite(parsed, program.foreground().out()));
        line.setParameterExceptionHandler(L4lbCommand::wrongUsage);
        line.setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
        return line;
    }

    /** This server, for a command that Ctrl-C does not end in the middle of a step. */
    private static Function<Path, RealServer> stoppable(Program program) {
        return state -> RealServer.here(state, program.foreground().interrupt().get()::isDone);
    }

    /** A command that does nothing but hold others. */
    private static CommandLine group(String name, String description) {
        CommandSpec spec = CommandSpec.create().name(name);
        spec.usageMessage().description(description);
        return new CommandLine(spec);
    }

    private static CommandLine printer(CommandLine line) {
        OutputOption.addTo(line.getCommandSpec());
        return line;
    }

    private static CommandLine ipvsadmClient(CommandLine line) {
        SocketOption.addTo(line.getCommandSpec());
        OutputOption.addWithIpvsadmTo(line.getCommandSpec());
        return line;
    }

    private static CommandLine client(CommandLine line) {
        SocketOption.addTo(line.getCommandSpec());
        return printer(line);
    }

    /** What every command has: --help, and the exit codes at the end of it. */
    private static void describe(CommandLine line) {
        CommandSpec spec = line.getCommandSpec();
        spec.addOption(OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Print this help and exit.")
                .build());
        spec.usageMessage().exitCodeListHeading("%nExit codes:%n").exitCodeList(ExitCode.meanings());
        line.getSubcommands().values().forEach(L4lbCommand::describe);
    }

    /** A disk that is full is an error; a reader that has had enough is none, and wants no words. */
    private static int runAndWrite(ParseResult parsed, StandardOutput out) {
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        if (!last.isUsageHelpRequested()) {
            OutputOption.check(last.commandSpec());
        }
        int code = new RunLast().execute(parsed);
        CommandLine command = last.commandSpec().commandLine();
        boolean written = !command.getOut().checkError();
        if (out.nobodyReads()) {
            return ExitCode.UNREAD.code();
        }
        if (written) {
            return code;
        }
        String problem = out.problem();
        complain(
                command.getErr(),
                last.commandSpec().qualifiedName(),
                "the output could not be written" + (problem.isEmpty() ? "" : ": " + problem));
        return code == ExitCode.OK.code() ? ExitCode.REFUSED.code() : code;
    }

    private static int wrongUsage(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        complain(command.getErr(), name, failure.getMessage() + " (see " + name + " --help)");
        return ExitCode.USAGE.code();
    }

    private static int failed(Exception failure, CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        if (failure instanceof ControlException control) {
            complain(command.getErr(), name, String.valueOf(failure.getMessage()));
            return ExitCode.of(control.kind()).code();
        }
        String why = failure.getMessage();
        complain(command.getErr(), name, "failed: " + (why == null ? "this is a mistake in l4lb, " + failure : why));
        return ExitCode.REFUSED.code();
    }

    private static void complain(PrintWriter err, String name, String message) {
        err.println(Table.printable(name + ": " + message.replaceAll("\\s*\\R\\s*", " ")));
        err.flush();
    }
}
