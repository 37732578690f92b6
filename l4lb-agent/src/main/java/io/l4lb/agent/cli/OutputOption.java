// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** {@code -o}, which may stand after the command or before it; the one nearest to its end counts. */
final class OutputOption {
    private static final String NAME = "--output";

    private OutputOption() {}

    static void addTo(CommandSpec command) {
        addTo(command, Format.NAMES);
    }

    /** The option of a command that has one more format. */
    static void addWithIpvsadmTo(CommandSpec command) {
        List<String> names = new ArrayList<>(Format.NAMES);
        names.add(Format.IPVSADM_NAME);
        addTo(command, names);
    }

    private static void addTo(CommandSpec command, List<String> names) {
        command.addOption(OptionSpec.builder("-o", NAME)
                .type(Format.class)
                .paramLabel("FORMAT")
                .converters(Format::parse)
                .completionCandidates(names)
                .description("${COMPLETION-CANDIDATES}. Default: table.")
                .build());
    }

    /** How results are printed. */
    enum Format {
        TABLE,
        /** More columns, where a command has some that are not always of interest; otherwise as {@link #TABLE}. */
        WIDE,
        JSON,
        /** What {@code ipvsadm -R} restores; only where it was asked for by {@link #addWithIpvsadmTo}. */
        IPVSADM;

        /** As they are typed; those that every command has. */
        static final List<String> NAMES = List.of("table", "wide", "json");

        static final String IPVSADM_NAME = "ipvsadm";

        static Format parse(String text) {
            if (text.equals(IPVSADM_NAME)) {
                return IPVSADM;
            }
            int index = NAMES.indexOf(text);
            if (index < 0) {
                throw new TypeConversionException("\"" + text + "\" is none of table, wide, json");
            }
            return values()[index];
        }
    }

    /**
     * Refuses a format that the command has not, wherever the option stands.
     *
     * @throws ParameterException it has not
     */
    static void check(CommandSpec command) {
        OptionSpec option = command.findOption(NAME);
        boolean runs = command.subcommands().isEmpty();
        if (runs
                && option != null
                && format(command) == Format.IPVSADM
                && !names(option).contains(Format.IPVSADM_NAME)) {
            throw new ParameterException(
                    command.commandLine(),
                    "Invalid value for option '" + NAME + "': only service list has the format " + Format.IPVSADM_NAME);
        }
    }

    private static List<String> names(OptionSpec option) {
        List<String> names = new ArrayList<>();
        option.completionCandidates().forEach(names::add);
        return names;
    }

    /** What a command has to print. */
    static Format format(CommandSpec command) {
        for (CommandSpec spec = command; spec != null; spec = spec.parent()) {
            OptionSpec option = spec.findOption(NAME);
            Format value = option == null ? null : option.getValue();
            if (value != null) {
                return value;
            }
        }
        return Format.TABLE;
    }
}
