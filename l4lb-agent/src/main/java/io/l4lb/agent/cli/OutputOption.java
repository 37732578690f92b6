// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** {@code -o}, which may stand after the command or before it; the one nearest to its end counts. */
final class OutputOption {
    private static final String NAME = "--output";

    private OutputOption() {}

    static void addTo(CommandSpec command) {
        command.addOption(OptionSpec.builder("-o", NAME)
                .type(Format.class)
                .paramLabel("FORMAT")
                .converters(Format::parse)
                .completionCandidates(Format.NAMES)
                .description("${COMPLETION-CANDIDATES}. Default: table.")
                .build());
    }

    /** How results are printed. */
    enum Format {
        TABLE,
        /** More columns, where a command has some that are not always of interest; otherwise as {@link #TABLE}. */
        WIDE,
        JSON;

        /** As they are typed. */
        static final List<String> NAMES = List.of("table", "wide", "json");

        static Format parse(String text) {
            int index = NAMES.indexOf(text);
            if (index < 0) {
                throw new TypeConversionException("\"" + text + "\" is none of table, wide, json");
            }
            return values()[index];
        }
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
